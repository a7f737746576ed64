import { boundHeapGrowth } from "../../../src/cli/wiring/parent-heap.ts";
import { type ParentSettings, simulateBatch } from "./simulated-batch.ts";

// The measured process: `measureBatch` passes the settings as its only argument and reads the figures from its output.
boundHeapGrowth();
const settings = JSON.parse(process.argv[2] ?? "") as ParentSettings;
process.stdout.write(JSON.stringify(await simulateBatch(settings)));
