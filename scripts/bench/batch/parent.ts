import { type BatchLoad, simulateBatch } from "./simulated-batch.ts";

// The measured process: `measureBatch` gives the load as its one argument and reads the figures from its output.
const load = JSON.parse(process.argv[2] ?? "") as BatchLoad;
process.stdout.write(JSON.stringify(await simulateBatch(load)));
