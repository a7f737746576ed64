import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  type AreaMutant,
  applyMutant,
  drawSample,
  findMutants,
  mutantAreas,
} from "../support/mutants/index.ts";

const ROOT = join(import.meta.dirname, "../..");

function changed(text: string): string[] {
  return findMutants("a.ts", text).map((mutant) => applyMutant(text, mutant));
}

test("findMutants changes comparisons, boundaries, booleans, conditions, exits, calls, logic, sums and strings", () => {
  const check = (text: string, expected: string[]): void =>
    expect(changed(text).toSorted()).toEqual(expected.toSorted());
  check("const a = b === c;", ["const a = b !== c;"]);
  check("const a = b >= c;", ["const a = b > c;"]);
  check("const a = true;", ["const a = false;"]);
  check("const a = b ? c : d;", ["const a = !(b) ? c : d;"]);
  check("for (;;) if (a) continue;", ["for (;;) if (!(a)) continue;", "for (;;) ;"]);
  check("if (a) { b; throw c; }", ["if (!(a)) { b; throw c; }", ";"]);
  check("await a();", [";"]);
  check("const a = b && c;", ["const a = b || c;"]);
  check("const a = b + 1;", ["const a = b - 1;"]);
  check('const a = "b";', ['const a = "";']);
});

test("findMutants does not change types, imports, property names, concatenated text and messages for people", () => {
  expect(changed('import { a } from "b";')).toEqual([]);
  expect(changed('type A = "b" | true;')).toEqual([]);
  expect(changed('const a = { "b": 1, message: "c", remedy: "d" };')).toEqual([]);
  expect(changed("const a = `${b}` + c;")).toEqual([]);
  expect(changed("if (a) b = 1; else c = 2;")).toEqual(["if (!(a)) b = 1; else c = 2;"]);
});

test("drawSample draws the same mutants for the same seed, and alternates between the areas", () => {
  const ofArea = (area: string, text: string): AreaMutant[] =>
    findMutants(`${area}.ts`, text).map((mutant) => Object.assign(mutant, { area }));
  const small = ofArea("small", "const a = b === c;");
  const large = ofArea("large", "const a = b === c;\n".repeat(50));
  const ids = (seed: number): string[] => drawSample([...large, ...small], 10, seed).map(({ id }) => id);
  expect(ids(1)).toEqual(ids(1));
  expect(ids(1)).not.toEqual(ids(2));
  expect(ids(1)).toContain("small.ts:1:13 comparison");
});

test("every source file and every test file of the areas exists", () => {
  for (const { sources, tests } of Object.values(mutantAreas))
    for (const path of [...sources, ...tests])
      expect({ path, exists: existsSync(join(ROOT, path)) }).toMatchObject({ exists: true });
});
