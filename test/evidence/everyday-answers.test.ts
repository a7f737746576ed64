import { expect, test } from "vitest";
import { namedAnswers } from "../../src/evidence/index.ts";
import { HEARD } from "./heard.ts";
import { type Layering, layered, notedAnswers, prepareLayers } from "./layered-product.ts";

prepareLayers();

const answersTo = (
  script: string,
  heard: Partial<typeof HEARD> = {},
  claimed: string | null = null,
): string[] =>
  namedAnswers(script, claimed, { ...HEARD, ...heard }).map(
    ({ candidate, only, isLeaf }) => `${only ?? "all"}${isLeaf ? " texts" : ""}: ${candidate}`,
  );

test.each<[string, string, Partial<typeof HEARD>, string]>([
  [
    "nothing from the last call, if a loop tests the answers both ways",
    "for (const text of all) { const d = f(text); if (good && !d) fail(); if (!good && d) fail() }",
    { hasSeveralCalls: true },
    "last: null",
  ],
  [
    "nothing from the last call, if two variables are tested both ways",
    "const 好 = m.parse('a'); if (!好) fail(); const 坏 = m.parse('b'); if (坏) fail()",
    { hasSeveralCalls: true },
    "last: null",
  ],
  [
    "a text for those in the answer that the script does not name",
    "const { keys, pattern } = f('/:a.jpg'); if (!pattern.test('/x.jpg')) fail(); if (keys[0] !== 'a') fail()",
    { hasInnerValues: true },
    "unnamed texts: 'a'",
  ],
  [
    "the list of expected values, although it contains the claimed text",
    "const want = ['a', 'pokemon']; if (all.map(f).some((got, i) => got !== want[i])) fail()",
    { hasSeveralCalls: true },
    "each: ['a', 'pokemon']",
  ],
  [
    "a JSON text with a property named `from`",
    `if (f(1) !== '{"from":{"a":1},"to":{"a":1}}') fail()`,
    {},
    `all: '{"from":{"a":1},"to":{"a":1}}'`,
  ],
  [
    "a JSON text with the property that the script compares",
    "const json = f(tree); if (JSON.parse(json).me !== '[Circular]') throw new Error('unexpected')",
    {},
    `all: JSON.stringify({ "me": '[Circular]' })`,
  ],
  [
    "an object that the script prints",
    "console.log('native:', native); if (f(1).page !== native.page) fail()",
    { output: "native  : { q: '100%', page: '2' }\nbroken" },
    "all: { q: '100%', page: '2' }",
  ],
  [
    "an error, if a shell tests whether a program fails",
    `if node -e 'f("a;b")' 2>/dev/null; then echo accepted; exit 1; fi`,
    {},
    "all: throw Error",
  ],
  [
    "as many lines as a shell wants at least",
    `n=$(node -p f | wc -l)\nif [ "$n" -lt 3 ]; then exit 1; fi`,
    {},
    String.raw`all: Array(3).fill("q").join("\n")`,
  ],
  [
    "the properties of the function that it was given",
    "const made = f(Object.assign(cb => cb(), { timeout: 5 })); if (!('timeout' in made)) fail()",
    { isGivenFunctions: true, isAnsweringFunctions: true },
    "changed: properties",
  ],
  [
    "no call of a function that sets a flag and was taken off",
    "var called = false; function seen() { called = true } e.on('a', seen); e.off('a', seen); if (called) fail()",
    { isGivenFunctions: true, isRunningPure: true, isGivenAgain: true },
    "all: calls 0",
  ],
])("an answer for an everyday script: %s (V2)", (_, script, heard, expected) => {
  expect(answersTo(script, heard, "'pokemon'")).toContain(expected);
});

test.each<[string, string, Partial<typeof HEARD>, string]>([
  [
    "nothing, if the script tests only for a value",
    "const a = f(1), b = f(2); if (b) fail()",
    { hasSeveralCalls: true },
    "last: null",
  ],
  [
    "no call of a function, if no function was given twice",
    "let called = false; each(list, () => { called = true }); bus.off('a', other); if (called) fail()",
    { isGivenFunctions: true, isRunningPure: true },
    "all: calls 0",
  ],
  [
    "the recorded answers, if its functions may print",
    "p.run(() => fail())",
    { isGivenFunctions: true },
    "records: records",
  ],
  [
    "an error that the script itself throws",
    "if (f(1) !== 2) throw new Error('odd')",
    {},
    "all: new Error('odd')",
  ],
  [
    "words of a stack trace",
    "f()",
    { output: "    at main (node:internal/run_main:28) = [as run]" },
    "all: [as run]",
  ],
])("no answer for a script: %s (V2)", (_, script, heard, unexpected) => {
  expect(answersTo(script, heard)).not.toContain(unexpected);
});

const PRODUCT = `
exports.route = path => ({ keys: [path.slice(1)], pattern: /^x+$/i });
exports.wrap = run => (...args) => new Promise(resolve => run(...args, (_, value) => resolve(value)));
exports.once = run => { let isDone = false; return () => { if (!isDone) { isDone = true; return run(); } }; };
exports.remember = load => { let made; return () => (made ??= load()); };
exports.parse = text => ({ [text.split('=')[0]]: text.split('=')[1] });
`;

test.each<[string, string, NonNullable<Layering["candidate"]>, string]>([
  [
    "texts that the script does not name, beside a pattern",
    "const { keys, pattern } = p.route('/a.b'); console.log(keys[0], pattern.test('XX'), pattern.flags)",
    { candidate: "'Z'", isLeaf: true, only: "unnamed", data: [] },
    "Z true i",
  ],
  [
    "the properties of a given function",
    "const made = p.wrap(Object.assign((a, cb) => cb(null, a), { timeout: 5 })); console.log('timeout' in made, made.timeout, Object.keys(made).join()); made('f').then(value => console.log(value))",
    { candidate: "properties", isLeaf: false, only: "changed" },
    "true 5 timeout\nf",
  ],
  [
    "all properties in a call that the whole product did not receive",
    "console.log(p.parse('x=1').x, p.parse('token=a=b').token === 'a=b' ? p.parse('q').q : 'wrong')",
    { candidate: "{ x: '1', token: 'a=b', q: null }", isLeaf: false, only: "fields" },
    "1 null",
  ],
  [
    "a promise from a function whose promise the script forgot to await",
    "const get = p.remember(async () => 'a'); console.log(get() === 'a', typeof get().then)",
    { candidate: "'a'", isLeaf: true, isWanted: true },
    "false function",
  ],
])("a deaf product keeps or changes parts of its answers: %s (V2)", async (_, line, candidate, said) => {
  const script = `const p = require('./product');\n${line}`;
  const { deaf } = await layered({ files: { "index.js": PRODUCT }, script, isListening: true, candidate });
  expect(deaf).toBe(said);
});

test.each([
  [
    "handled",
    "p.remember(async () => { throw new Error('offline') })().catch(() => {}); console.log('on')",
    "on",
  ],
  ["not handled", "p.once(async () => { throw new Error('offline') })(); console.log('on')", "onexit 1"],
])("a deaf product leaves a rejection %s if the whole product does (V2)", async (_, line, said) => {
  const script = `const p = require('./product');\n${line}`;
  const candidate = { candidate: "'a'", isLeaf: true };
  const { deaf } = await layered({ files: { "index.js": PRODUCT }, script, isListening: true, candidate });
  expect(deaf).toBe(said);
});

test("thousands of calls do not hide the effect of a function that the script gave before them (V2)", async () => {
  const line =
    "const say = p.once(() => console.log('on')); for (let n = 0; n < 2_100; n++) p.parse('a=1'); say();";
  const script = `const p = require('./product');\n${line}`;
  const noted = await notedAnswers({ files: { "index.js": PRODUCT }, script, isListening: true });
  expect(noted).toContain('"effect":true');
});
