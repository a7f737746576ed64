/**
 * `npm run bench:evidence`: measures a whole verification on the local provider beside three real runs of the same script one
 * after another (row V2), and prints a table; `--json FILE` writes the rows too. About two minutes on an idle machine. Exit code
 * 0 also when a row is not met: figures of a busy machine are no defect.
 */
import { writeFile } from "node:fs/promises";
import { evidenceRows } from "./bench/evidence-rows.ts";
import { tableText } from "./bench/row.ts";
import { scriptArguments } from "./script-arguments.ts";

const { values } = scriptArguments(import.meta.url, { options: { json: { type: "string" } } });
const rows = await evidenceRows();
process.stdout.write(`${tableText(rows)}\n`);
if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify({ rows }, null, 2)}\n`);
