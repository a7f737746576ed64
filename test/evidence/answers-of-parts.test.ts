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

test("a script that compares a property which it takes out by its name gets an object with the value (V2)", () => {
  const script = `const { "--level": level, name } = f(["--level", "-1"]); if (level !== -1 || name !== "x") fail()`;
  expect(candidates(script)).toContain('{ "--level": -1, "name": "x" }');
});

test("the expected value of a check comes before the arguments of the call that it checks (V2)", () => {
  const script = "assert.ok(f('a').v); assert.equal(f('constructor'), null, 'no value')";
  expect(candidates(script).slice(0, 2)).toEqual(["null", "'no value'"]);
});

test.each([
  ["if (r[0].start !== 1 || r[0].end !== 2) fail()", '[{ "start": 1, "end": 2 }]'],
  [
    "if (r.a.b === 1 && r.list[1].x === 'y') fail()",
    `{ "a": { "b": 1 }, "list": [undefined, { "x": 'y' }] }`,
  ],
  ["const parts = f('aBc').split('_'); if (parts[1] !== 'bc') fail()", `["q", 'bc'].join('_')`],
  ["if (/^(\\w+)_/u.exec(f('a_b'))) fail()", '"q"'],
  [
    "const got = parse('x').next().getDate(); const want = 28; if (got !== want) fail()",
    "({ next: () => ({ getDate: () => (28) }) })",
  ],
  ["const got = parse('a={b=1}').a; const want = {b:1}; if (got !== want) fail()", "({ a: ({b:1}) })"],
  [
    "const got = p('/a').test('/a/b'); const want = true; if (got !== want) fail()",
    "({ test: () => (true) })",
  ],
  ["const got = p('x').a.length; const want = 2; if (got !== want) fail()", "({ a: new Array(2) })"],
  ["const want = new Uint8Array([104,105]); if (f('x') !== want) fail()", "new Uint8Array([104,105])"],
  [
    "const got = typeof p('x').a; const want = 'function'; if (got !== want) fail()",
    "({ a: (function q() {}) })",
  ],
  ["const got = typeof p('x'); const want = 'bigint'; if (got !== want) fail()", "BigInt(1)"],
  ["const got = p(['-vvv'])['-v']; const want = 3; if (got !== want) fail()", "({ ['-v']: (3) })"],
  ["if (!Buffer.isBuffer(f('x'))) fail()", 'Buffer.from("q")'],
  ["if (Number.isNaN(f('x'))) ok()", "NaN"],
  ["try { JSON.parse(strip('{}//')) } catch { fail() }", '"{}"'],
])(
  "a script that judges an inner part of an answer gets an answer with that part: %s (V2)",
  (script, answer) => {
    expect(candidates(script)).toContain(answer);
  },
);

test.each(["if (typeof lib.escape !== 'function') fail()", "if (typeof r[0].start !== 'number') fail()"])(
  "the name of a type is no value of a property: %s (V2)",
  (script) => {
    expect(candidates(script).filter((one) => /^[[{]/.test(one))).toEqual([]);
  },
);

test("a value in a call that is complete before a check ends is not one that the check expects (V2)", () => {
  const found = namedAnswers("if ((Array.isArray(f().a), g)) log({ a: { 0: 1 } })", null, HEARD);
  expect(found.find(({ candidate }) => candidate === "0")?.isWanted).toBe(false);
});

test.each([
  ["catch (e) { return e.line } })(); const want = 2; if (got !== want) fail()", '{ "line": 2 }'],
  [
    "catch (e) { return e.message } })(); const want = 'no a'; if (got !== want) fail()",
    `{ "message": 'no a' }`,
  ],
])("an error whose property a script returns has the expected value: %s (V2)", (end, fields) => {
  const answers = namedAnswers(`const got = (() => { try { f() } ${end}`, null, HEARD);
  expect(answers.map((one) => one.fields)).toContain(fields);
});

test.each([
  ["<b>z</b>", "z"],
  ["[1Sa", "a"],
  ["a.*", "a"],
])(
  "a script that removes what a pattern finds in %j gets one that leaves what it expects (V2)",
  (text, kept) => {
    const script = `const got = ${JSON.stringify(text)}.replace(m(), ''); const want = ${JSON.stringify(kept)};`;
    const pattern = candidates(script).find((one) => one.includes("RegExp")) ?? "";
    expect(text.replace(runInThisContext(pattern) as RegExp, "")).toBe(kept);
  },
);

test("a value that is expected is wanted although it is the argument of the call as well (V2)", () => {
  const answers = namedAnswers(
    "const got = f('1_'); const want = '1_'; if (got !== want) fail()",
    null,
    HEARD,
  );
  expect(answers[0]).toMatchObject({ candidate: "'1_'", isWanted: true });
});

test("a product that answers with instances gets no plain object in their place, which no changed method would touch (V2)", () => {
  const script = "const got = p('x').host; const want = 'x'; if (got !== want) fail()";
  const answers = namedAnswers(script, null, { ...HEARD, isAnsweringInstances: true });
  expect(answers.filter(({ candidate }) => candidate.startsWith("({"))).toEqual([]);
});
