/**
 * Usage: `npm run bench:tracker`. Measures row P12 over the committed recordings (`--dir DIR`: over others) and, in the same run,
 * its raw limit, and prints a table; `--json FILE` also writes the rows to a file. The exit code is 0 even if a row is not met,
 * because results from a busy machine are not a defect.
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
