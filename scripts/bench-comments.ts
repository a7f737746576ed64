/**
 * `npm run bench:comments`: measures how long hostile text takes to be laid out as a comment (S24), and prints a table. Exit code 0
 * also when a row is not met: figures of a busy machine are no defect.
 */
import { commentRows } from "./bench/comment-rows.ts";
import { tableText } from "./bench/row.ts";

process.stdout.write(`${tableText(commentRows())}\n`);
