/**
 * Usage: `npm run bench:engine`. Measures rows P1 to P10 and, in the same run, the raw limit of each, and prints a table. The
 * option `--json FILE` also writes the rows to a file; `--quick` floods with 10 MB instead of 100. The exit code is 0 even if a
 * row is not met, because results from a busy machine are not a defect.
 */
import { writeFile } from "node:fs/promises";
import { cpus, loadavg } from "node:os";
import { commandRows } from "./bench/command-rows.ts";
import { inProcessRows } from "./bench/in-process-rows.ts";
import { outputRows } from "./bench/output-rows.ts";
import { tableText } from "./bench/row.ts";
import { socketRows } from "./bench/socket-rows.ts";
import { scriptArguments } from "./script-arguments.ts";

const { values } = scriptArguments(import.meta.url, {
  options: { json: { type: "string" }, quick: { type: "boolean", default: false } },
});
const megabytes = values.quick ? 10 : 100;
const sessions = values.quick ? 50 : 200;
const machine = {
  node: process.version,
  processors: cpus().length,
  model: cpus()[0]?.model ?? "unknown",
  loadBefore: loadavg()[0] ?? 0,
};
const rows = [
  ...(await commandRows(megabytes)),
  ...(await inProcessRows(sessions)),
  ...(await socketRows()),
  ...(await outputRows(megabytes)),
];
rows.sort((left, right) => left.row.localeCompare(right.row, "en", { numeric: true }));
process.stdout.write(`${tableText(rows)}\n`);
process.stdout.write(
  `Node ${machine.node}, ${machine.processors} processors (${machine.model}), load before ${machine.loadBefore.toFixed(2)}\n`,
);
if (values.json !== undefined)
  await writeFile(values.json, `${JSON.stringify({ machine, megabytes, rows }, null, 2)}\n`);
