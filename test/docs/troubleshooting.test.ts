import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { errorCodes, exitCodeOf } from "../../src/cli/exit-codes.ts";

const page = readFileSync(join(import.meta.dirname, "../../docs/troubleshooting.md"), "utf8");
/** `| code | exit | what was seen | what to do |` */
const entries = [...page.matchAll(/^\| `([A-Z_]+)` +\| (\d) +\| (\S.*?) +\| (\S.*?) +\|$/gm)].map(
  (match) => ({
    code: match[1] ?? "",
    exit: Number(match[2]),
  }),
);

test("every error code has its entry in docs/troubleshooting.md, and no entry names an unknown one", () => {
  const listed = entries.map(({ code }) => code);
  expect(listed.toSorted()).toEqual([...errorCodes].toSorted());
});

test("each entry tells the exit code that a command ends with", () => {
  expect(entries).toEqual(entries.map(({ code }) => ({ code, exit: exitCodeOf(code) })));
});
