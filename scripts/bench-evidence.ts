/**
 * `npm run bench:evidence`: measures a whole verification on the local provider and three real runs of the same script one
 * after another (row V2), and prints a table; `--json FILE` also writes the rows to a file. It takes about two minutes on an idle
 * machine. The exit code is 0 even if a row is not met, because results from a busy machine are not a defect.
 */
import { writeFile } from "node:fs/promises";
import { evidenceRows } from "./bench/evidence-rows.ts";
import { tableText } from "./bench/row.ts";
import { scriptArguments } from "./script-arguments.ts";

const { values } = scriptArguments(import.meta.url, { options: { json: { type: "string" } } });
const rows = await evidenceRows();
process.stdout.write(`${tableText(rows)}\n`);
if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify({ rows }, null, 2)}\n`);
