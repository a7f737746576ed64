import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { indexPage } from "./behaviour/index-page.ts";
import { readRows, readUses, rowsIn, usesIn } from "./behaviour/rows.ts";

const ROOT = join(import.meta.dirname, "../..");
const rows = readRows(ROOT);
const uses = readUses(ROOT);

test("every row id in the code, the tests and the scripts is defined in docs/behaviour", () => {
  const defined = new Set(rows.map(({ id }) => id));
  const undefinedUses = uses.filter(({ id }) => !defined.has(id)).map(({ id, file }) => `${id} in ${file}`);
  expect(undefinedUses, "define the row in docs/behaviour, or say what is meant in words").toEqual([]);
});

test("every row of docs/behaviour is named by a test or a benchmark", () => {
  const proven = new Set(uses.filter(({ isProof }) => isProof).map(({ id }) => id));
  expect(rows.map(({ id }) => id).filter((id) => !proven.has(id))).toEqual([]);
});

test("every row is defined once", () => {
  const ids = rows.map(({ id }) => id);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});

test("docs/behaviour/README.md matches the rows and the tests", () => {
  const page = readFileSync(join(ROOT, "docs/behaviour/README.md"), "utf8");
  expect(page, "run npm run docs:behaviour").toBe(indexPage(rows, uses));
});

test("the check finds ids in definitions, titles, benchmark rows and comments, and ignores data (even next to a glob in a string)", () => {
  expect(rowsIn("- **S4** A marker.\n- **coder failure 7** A login.\n", "x").map(({ id }) => id)).toEqual([
    "S4",
    "coder failure 7",
  ]);
  const source = 'const key = "S4";\n// S5: a comment\n';
  expect(usesIn(source, "src/x.ts")).toEqual([{ id: "S5", file: "src/x.ts", isProof: false }]);
  expect(usesIn('test("X does Y (S4)", y);', "test/x.test.ts")).toEqual([
    { id: "S4", file: "test/x.test.ts", isProof: true },
  ]);
  const glob = 'const files = "src/*.ts"; // S5: a comment\ntest("X does Y (S4)", y);\nconst rest = "*/";\n';
  expect(usesIn(glob, "test/x.test.ts").map(({ id }) => id)).toEqual(["S5", "S4"]);
  expect(usesIn("// P1 beside node -e 0", "scripts/bench/x.ts")[0]?.isProof).toBe(true);
});
