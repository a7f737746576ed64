/**
 * `npm run bench:tracker`: measures row P12 over the committed recordings (`--dir DIR`: over others) beside its raw limit of
 * the same run, and prints a table; `--json FILE` writes the rows too. Exit code 0 also when a row is not met: figures of
 * a busy machine are no defect.
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { tableText } from "./bench/row.ts";
import { trackerRows } from "./bench/tracker-rows.ts";
import { scriptArguments } from "./script-arguments.ts";

const { values } = scriptArguments(import.meta.url, {
  options: {
    dir: { type: "string", default: join(import.meta.dirname, "../test/fixtures/recordings") },
    json: { type: "string" },
  },
});
const rows = await trackerRows(values.dir);
process.stdout.write(`${tableText(rows)}\n`);
if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify({ rows }, null, 2)}\n`);
