import { readdirSync, readFileSync } from "node:fs";
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

/** Code of other programs: the engine's own command line, the page in a browser, and a script of this project's releases. */
const OTHERS = /^(?:agent-tty|board\/page|release\/publish)\//;

test("every error in src has one of the documented error codes", () => {
  const root = join(import.meta.dirname, "../../src");
  const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter(
    (file) => file.endsWith(".ts") && !OTHERS.test(file),
  );
  const given = files.flatMap((file) =>
    [...readFileSync(join(root, file), "utf8").matchAll(/\bcode: "([A-Z_]+)"/g)].map(([, code]) => code),
  );
  expect(given.length).toBeGreaterThan(100);
  expect([...new Set(given)].filter((code) => !errorCodes.includes(code ?? ""))).toEqual([]);
});

test("each entry names the exit code that the command ends with", () => {
  expect(entries).toEqual(entries.map(({ code }) => ({ code, exit: exitCodeOf(code) })));
});
