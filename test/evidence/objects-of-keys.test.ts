import { runInThisContext } from "node:vm";
import { expect, test } from "vitest";
import { namedAnswers } from "../../src/evidence/index.ts";
import { HEARD } from "./heard.ts";

const candidates = (script: string): string[] =>
  namedAnswers(script, null, HEARD).map(({ candidate }) => candidate);

test.each([
  [
    "const got = Object.keys(f('x')).join(); const want = '__proto__'; if (got !== want) fail()",
    ["__proto__"],
  ],
  ["assert.deepEqual(Object.keys(f('x')), ['a', 'b-c'])", ["a", "b-c"]],
  ["const want = 'a, b'; if (Reflect.ownKeys(f('x')).join(', ') !== want) fail()", ["a", "b"]],
])("a script that names the properties it expects gets an object with them: %s (V2)", (script, names) => {
  const objects = candidates(script).filter((one) => one.startsWith("JSON.parse("));
  expect(objects.map((one) => Object.keys(runInThisContext(one) as object))).toContainEqual(names);
});

test("a script that asks for no properties gets no such object (V2)", () => {
  expect(candidates("if (f('x') !== 'a,b') fail()").filter((one) => one.startsWith("JSON.parse("))).toEqual(
    [],
  );
});

test("an infinite number below zero is an answer (V2)", () => {
  expect(candidates("const want = -Infinity; if (f('-Infinity') !== want) fail()")[0]).toBe("-Infinity");
});
