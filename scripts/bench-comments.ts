/**
 * Usage: `npm run bench:comments`. Measures how long the layout of hostile text as a comment takes (S24), and prints a table. The
 * exit code is 0 even if a row is not met, because results from a busy machine are not a defect.
 */
import { commentRows } from "./bench/comment-rows.ts";
import { tableText } from "./bench/row.ts";

process.stdout.write(`${tableText(commentRows())}\n`);
