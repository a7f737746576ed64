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

test("a script that reads no properties gets no object with properties (V2)", () => {
  expect(candidates("if (f('x') !== 'a,b') fail()").filter((one) => one.startsWith("JSON.parse("))).toEqual(
    [],
  );
});

test("an infinite number below zero is an answer (V2)", () => {
  expect(candidates("const want = -Infinity; if (f('-Infinity') !== want) fail()")[0]).toBe("-Infinity");
});

test("a script that destructures a property and compares it gets an object with the expected value (V2)", () => {
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
  ["const got = diff(1, 2)?.[0].kind; const want = 'D'; if (got !== want) fail()", "[({ kind: ('D') })]"],
  ["const got = p('x').a[1]; const want = 2; if (got !== want) fail()", `({ a: ["q", (2)] })`],
  ["const got = parse('x').toString; const want = '1'; if (got !== want) fail()", "({ toString: ('1') })"],
  ["const got = colors.bold.close; const want = 'x'; if (got !== want) fail()", "({ close: ('x') })"],
  ["const want = new Uint8Array([104,105]); if (f('x') !== want) fail()", "new Uint8Array([104,105])"],
  [
    "const got = typeof p('x').a; const want = 'function'; if (got !== want) fail()",
    "({ a: (function q() {}) })",
  ],
  ["const got = typeof p('x'); const want = 'bigint'; if (got !== want) fail()", "BigInt(1)"],
  ["const got = p(['-vvv'])['-v']; const want = 3; if (got !== want) fail()", "({ ['-v']: (3) })"],
  ["const got = parse('x')['']; const want = 1; if (got !== want) fail()", "({ ['']: (1) })"],
  [
    "const got = merge({ [key]: 2 })[key]; const want = 1; if (got !== want) fail()",
    "new Proxy({}, { get: () => (1) })",
  ],
  [
    "const got = stringify([1], 12); const want = JSON.stringify([1], null, 12); if (got !== want) fail()",
    "JSON.stringify([1], null, 12)",
  ],
  [
    "const expected = Object.keys({ b: 1, a: 'x' }).sort().join('-'); if (f() !== expected) fail()",
    "Object.keys({ b: 1, a: 'x' }).sort().join('-')",
  ],
  [
    "const got = eval('(' + m() + ')'); const want = new Set([1]); if (got !== want) fail()",
    '"new Set([1])"',
  ],
  [
    "const got = wrap('x').split('\\n').length; const want = 3; if (got !== want) fail()",
    "new Array(3).fill(\"q\").join('\\n')",
  ],
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
  "the name of a type after typeof is not the value of a property: %s (V2)",
  (script) => {
    expect(candidates(script).filter((one) => /^[[{]/.test(one))).toEqual([]);
  },
);

test.each(["run('x')", "fs.readFileSync('x')", "list.map((one) => one + 1)", "(count += 1) + f('x')"])(
  "an expected value that code of the script computes is no answer: %s (V2)",
  (expression) => {
    expect(candidates(`const want = ${expression}; if (f() !== want) fail()`)).not.toContain(expression);
  },
);

test("a value in a call inside a check's arguments is not the value that the check expects (V2)", () => {
  const found = namedAnswers("if ((Array.isArray(f().a), g)) log({ a: { 0: 1 } })", null, HEARD);
  expect(found.find(({ candidate }) => candidate === "0")?.isWanted).toBe(false);
});

test.each([
  ["catch (e) { return e.line } })(); const want = 2; if (got !== want) fail()", '{ "line": 2 }'],
  [
    "catch (e) { return e.message } })(); const want = 'no a'; if (got !== want) fail()",
    `{ "message": 'no a' }`,
  ],
])("an error has the expected value in the property that the script returns: %s (V2)", (end, fields) => {
  const answers = namedAnswers(`const got = (() => { try { f() } ${end}`, null, HEARD);
  expect(answers.map((one) => one.fields)).toContain(fields);
});

test.each([
  ["!e.message.includes('-c')", "-c"],
  [`!String(e).startsWith("no 'x'") || !/line \\d/.test(e.message)`, "no 'x' line d"],
  ["e.message.indexOf('key') < 0 || !e.message.endsWith('.')", "key ."],
])("an error has the texts that a script looks for in its message: %s (V2)", (check, message) => {
  const answers = namedAnswers(`try { f() } catch (e) { if (${check}) fail() }`, null, HEARD);
  expect(answers.map(({ fields }) => fields)).toContain(`{ "message": "${message}" }`);
});

test.each([
  ["<b>z</b>", "z"],
  ["[1Sa", "a"],
  ["a.*", "a"],
])(
  "a script that removes the matches of a pattern from %j gets a pattern that leaves the expected text (V2)",
  (text, kept) => {
    const script = `const got = ${JSON.stringify(text)}.replace(m(), ''); const want = ${JSON.stringify(kept)};`;
    const pattern = candidates(script).find((one) => one.includes("RegExp")) ?? "";
    expect(text.replace(runInThisContext(pattern) as RegExp, "")).toBe(kept);
  },
);

test("an expected value is wanted even if it is also the argument of the call (V2)", () => {
  const answers = namedAnswers(
    "const got = f('1_'); const want = '1_'; if (got !== want) fail()",
    null,
    HEARD,
  );
  expect(answers[0]).toMatchObject({ candidate: "'1_'", isWanted: true });
});

test("a product that returns instances does not return plain objects instead, on which a method that the script changed would have no effect (V2)", () => {
  const script = "const got = p('x').host; const want = 'x'; if (got !== want) fail()";
  const answers = namedAnswers(script, null, { ...HEARD, isAnsweringInstances: true });
  expect(answers.filter(({ candidate }) => candidate.startsWith("({"))).toEqual([]);
});

test("the options with which a script prints an answer, and changes of the printed text, are no answers (V2)", () => {
  const script = `const got = f("x"); const want = "y"; const text = util.inspect(got, { depth: 8 }).replaceAll("z", "").split("\\n")[0]; if (text !== util.inspect(want, { depth: 8 })) fail()`;
  const found = candidates(script);
  expect(found).toContain('"y"');
  expect(found.filter((one) => /depth|8|z|\\n/.test(one))).toEqual([]);
});

test("a script that collects the answers of several calls in a list gets one element for each call (V2)", () => {
  const script =
    "const got = [f(1), f(2)]; const want = [false, true]; if (!isDeepStrictEqual(got, want)) fail()";
  const answers = namedAnswers(script, null, { ...HEARD, hasSeveralCalls: true });
  expect(answers.filter(({ only }) => only === "each").map(({ candidate }) => candidate)).toEqual([
    "[false, true]",
  ]);
});

test.each([
  [
    "all of it",
    "const o = {}; set(o, 'a.b', 2); const want = { a: { b: 2 } }; if (!equal(o, want)) fail()",
    ["{ a: { b: 2 } }"],
  ],
  [
    "a part of it",
    "const o = { c: 3 }; set(o, 'a.b', 1); const got = o.a['b']; const want = 2; if (got !== want) fail()",
    ["{ c: 3 }", "({ a: ({ ['b']: (2) }) })"],
  ],
  [
    "the names of a part of it",
    "const o = { a: { b: 1, d: 2 } }; unset(o, 'a.b'); const got = Object.keys(o.a); const want = ['d']; if (!equal(got, want)) fail()",
    ["['d']", `({ a: (JSON.parse("{\\"d\\":\\"q\\"}")) })`],
  ],
  [
    "no part of it, but its methods and assigned properties",
    "const o = [3]; fill(o, 1); o.a = 1; const got = o.join(); const want = '2'; if (got !== want) fail()",
    ["[3]"],
  ],
])("a script may judge an argument of a call: %s (V2)", (_, script, expected) => {
  const answers = namedAnswers(script, null, HEARD);
  expect(answers.filter(({ only }) => only === "argument").map(({ candidate }) => candidate)).toEqual(
    expected,
  );
});
