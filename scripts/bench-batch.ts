/**
 * Usage: `npm run bench:batch`. Measures row P11 with 500 issues at cap 50 (about five minutes), and simulates the capacity
 * table. `--issues N --cap N` measure another size. `--batch`, `--cleaning`, `--flood` and `--list` measure only the batch
 * itself, the cleaning of Sessions' output, a batch with one flood of output, or `afk-triage list` of many runs; `--capacity`
 * prints only the capacity table. `--json FILE` also writes the rows to a file.
 * `--scenarios FILE` simulates a JSON list of capacity scenarios of your own and prints the results as JSON.
 */
import { readFile, writeFile } from "node:fs/promises";
import { cpus, loadavg } from "node:os";
import { batchRows, capacityRows } from "./bench/batch/batch-rows.ts";
import { scenarioSchema, simulateCapacity } from "./bench/batch/capacity.ts";
import { cleaningRows } from "./bench/batch/cleaning-rows.ts";
import { floodedBatchRows } from "./bench/batch/flood-rows.ts";
import { listRows } from "./bench/batch/list-rows.ts";
import { measureBatch } from "./bench/batch/measure-batch.ts";
import { tableText } from "./bench/row.ts";
import { scriptArguments } from "./script-arguments.ts";

const { values } = scriptArguments(import.meta.url, {
  options: {
    issues: { type: "string", default: "500" },
    cap: { type: "string", default: "50" },
    capacity: { type: "boolean", default: false },
    cleaning: { type: "boolean", default: false },
    flood: { type: "boolean", default: false },
    list: { type: "boolean", default: false },
    batch: { type: "boolean", default: false },
    scenarios: { type: "string" },
    json: { type: "string" },
  },
});
if (values.scenarios === undefined) await measure();
else {
  const scenarios = scenarioSchema.array().parse(JSON.parse(await readFile(values.scenarios, "utf8")));
  process.stdout.write(`${JSON.stringify(scenarios.map(simulateCapacity), null, 2)}\n`);
}

async function measure(): Promise<void> {
  const loadBefore = loadavg()[0] ?? 0;
  const load = {
    issues: Number(values.issues),
    cap: Number(values.cap),
    buildMs: 5_000,
    agentMs: 20_000,
    deleteMs: 2_000,
  };
  const isPart = values.capacity || values.cleaning || values.flood || values.list || values.batch;
  const rows = [
    ...(values.cleaning || !isPart ? await cleaningRows() : []),
    ...(values.flood || !isPart ? await floodedBatchRows() : []),
    ...(values.list || !isPart ? await listRows() : []),
    ...(isPart && !values.batch ? [] : batchRows(load, await measureBatch(load))),
    ...(values.capacity || !isPart ? capacityRows() : []),
  ];
  process.stdout.write(`${tableText(rows)}\n`);
  const loads = `load before ${loadBefore.toFixed(2)}, after ${(loadavg()[0] ?? 0).toFixed(2)}`;
  process.stdout.write(
    `Node ${process.version}, ${cpus().length} processors, ${loads}. The parent is bundled as published; its programs and the simulated GitHub are processes of their own.\n`,
  );
  if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify({ load, rows }, null, 2)}\n`);
}
