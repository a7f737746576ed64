import { expect, test } from "vitest";
import { type Layering, layered, prepareLayers } from "./layered-product.ts";

prepareLayers();

test.each<[string, string, Omit<NonNullable<Layering["candidate"]>, "isLeaf">, string]>([
  [
    "those beside whose arguments the script has a datum",
    "console.log(p.upper('a'), p.upper('b'), p.upper('z'))",
    { candidate: "after", only: "beside", data: ["'a'", "'A!'", "'b'", "'B!'"] },
    "A! B! Z",
  ],
  [
    "those whose arguments follow a datum of the script",
    "console.log(p.upper('a'), p.upper('b'), p.upper('z'))",
    { candidate: "before", only: "beside", data: ["'A!'", "'a'", "'B!'", "'b'"] },
    "A! B! Z",
  ],
  [
    "those beside whose arguments, without those of every call, the script has a datum",
    "console.log(p.upper('a', true), p.upper('b', true))",
    { candidate: "after", only: "beside", data: ["true", "'X'", "'a'", "'A!'", "'b'", "'B!'"] },
    "A! B!",
  ],
  [
    "one beside whose first arguments the script has a datum",
    "console.log(p.upper('a', 3, true))",
    { candidate: "after", only: "beside", data: ["true", "'X'", "'a'", "3", "'A!'"] },
    "A!",
  ],
  [
    "those of an object that was made beside a datum",
    "console.log(new p.Word('a').upper(), new p.Word('z').upper())",
    { candidate: "after", only: "beside", data: ["'a'", "'A!'"] },
    "A! Z",
  ],
  [
    "those of the data of an object that was made beside a datum",
    "console.log(new p.Word('a').text, new p.Word('z').text)",
    { candidate: "after", only: "beside", data: ["'a'", "'A!'"] },
    "A! z",
  ],
  [
    "every one, but only in the properties that it has",
    "const { a, b, c } = p.both('x'); console.log(a, b.d, c[0].a, new p.Word('y').text, new p.Word('y').upper())",
    { candidate: "{ 'a': 7, 'text': 'Z' }", only: "fields" },
    "7 2 7 Z Y",
  ],
  [
    "every one, but in the lists and objects that it holds itself",
    "console.log(JSON.stringify(p.both()), p.upper('a'))",
    { candidate: "[7]", only: "inside" },
    '{"a":1,"b":[7],"c":[7]} A',
  ],
  [
    "every one, but in the lists and objects that hold no others",
    "console.log(JSON.stringify(p.both()))",
    { candidate: "[7]", only: "innermost" },
    '{"a":1,"b":[7],"c":[[7]]}',
  ],
  [
    "every one, but with as many elements",
    "console.log(JSON.stringify(p.both()))",
    { candidate: "2", only: "sized" },
    '{"a":1,"b":{"d":2,"q1":2},"c":[{"a":3,"q1":3},{"a":3,"q1":3}]}',
  ],
  [
    "the first one, and another answer to what follows it keeps the whole product's",
    "console.log(p.upper(p.upper('a')))",
    { candidate: "'Z'", only: "first" },
    "A",
  ],
  [
    "every one, in turn",
    "const said = []; const all = [...'abc'].map(one => p.later(one).then(text => said.push(text))); (async () => { for (let n = 0; n < 20; n++) await null; said.push('q'); await Promise.all(all); console.log(said.join('')) })()",
    { candidate: "in turn", only: "turns" },
    "qABC",
  ],
  [
    "the last one of an object whose methods answer with itself",
    "try { new p.Word('a').self(); new p.Word('b').self().list() } catch (error) { console.log(error instanceof TypeError) }",
    { candidate: "throw TypeError", only: "last" },
    "true",
  ],
  [
    "the last one, which makes an object",
    "new p.Word('a'); try { new p.Word('b') } catch (error) { console.log(error instanceof TypeError) }",
    { candidate: "throw TypeError", only: "last" },
    "true",
  ],
  [
    "the last one",
    "console.log(p.isLong('a'), p.isLong('abc'), p.isLong('b'))",
    { candidate: "other", only: "last" },
    "false true true",
  ],
  [
    "the last one, and an equal one before it",
    "console.log(p.isLong('b'), p.isLong('a'), p.isLong('b'))",
    { candidate: "other", only: "last" },
    "true false true",
  ],
  [
    "those whose answer the script does not name",
    "console.log(p.upper('a'), p.upper('b'))",
    { candidate: "'Z'", only: "unnamed", data: ["'A'"] },
    "A Z",
  ],
  [
    "those whose promised answer the script does not name",
    "(async () => console.log(await p.later('a'), await p.later('b')))()",
    { candidate: "'Z'", only: "unnamed", data: ["'A'"] },
    "A Z",
  ],
  [
    "those beside a datum, and no list or error of another call",
    "const tried = call => { try { return call() } catch (error) { return error.message } }; console.log(p.upper('a'), tried(() => p.fail()), new p.Word('z').list()[0], tried(() => new p.Word('z').fail()))",
    { candidate: "after", only: "beside", data: ["'a'", "'A!'"] },
    "A! too far Z far",
  ],
  [
    "the last one, after one that throws",
    "let failed; try { p.fail() } catch (error) { failed = error } console.log(failed instanceof RangeError, failed.message, p.upper('a'))",
    { candidate: "'Z'", only: "last" },
    "true too far Z",
  ],
  [
    "those that threw or rejected",
    "(async () => { const tried = call => Promise.resolve().then(call).catch(error => error.name); console.log(p.upper('a'), await tried(() => p.fail()), await tried(() => p.refuse('b')), await p.later('c')) })()",
    { candidate: "throw AbortError", only: "threw" },
    "A AbortError AbortError C",
  ],
  [
    "the last one, and the promise of another one is rejected as before",
    "(async () => console.log(await p.refuse('b').catch(error => error.message), p.upper('c')))()",
    { candidate: "'Z'", only: "last" },
    "refused b Z",
  ],
  [
    "those that answer with a boolean",
    "const word = new p.Word('a'); console.log(p.isLong('a'), p.upper('a'), word.isLong(), word.upper())",
    { candidate: "true", only: "booleans" },
    "true A true A",
  ],
  [
    "those that answer another boolean than most calls of their function",
    "console.log(p.isLong('a'), p.isLong('b'), p.isLong('abc'), p.upper('a'))",
    { candidate: "usual", only: "booleans" },
    "false false false A",
  ],
  [
    "those beside whose arguments the script has a datum of the answer's type",
    "console.log(p.upper('a'), p.size('abc'))",
    { candidate: "alike", only: "beside", data: ["'a'", "'A!'", "'abc'", "'number'"] },
    "A! 3",
  ],
  [
    "one that answered nothing, where the script expects an object with properties",
    "console.log(p.nothing().a, p.nothing().b)",
    { candidate: "{ 'a': 7, 'b': 'Z' }", only: "fields" },
    "7 Z",
  ],
  [
    "the last one, with the properties that the script reads from an error",
    "try { p.upper('a') } catch (error) { console.log(error.message, error.code, error.rest) }",
    { candidate: "throw TypeError", only: "last", fields: "{ \"code\": 'E', \"rest\": 'ab' }" },
    "q E ab",
  ],
  [
    "those beside whose answer the script prints an expected one",
    "console.log(p.upper('a'), p.upper('b'), p.size('abc'), p.upper(''))",
    {
      candidate: "printed",
      only: "said",
      data: ['{"words":["A","B!"],"wanted":["B!"]}', '{"words":["3",""],"wanted":["4"]}'],
    },
    "B! B 4 4",
  ],
  [
    "those that are given what an earlier one answered",
    "const given = { a: [1] }; const back = p.parse(p.stringify(given)); console.log(JSON.stringify(back), back === given, p.parse('[2]')[0])",
    { candidate: "given", only: "back" },
    '{"a":[1]} false 2',
  ],
  [
    "those of an object that holds lists, with as many elements",
    "console.log(Object.keys(p.archive().files).length, p.archive().name)",
    { candidate: "3", only: "sized" },
    "3 z",
  ],
])("only some calls of a deaf product return the candidate: %s (V2)", async (_, line, candidate, said) => {
  const files = {
    "index.js": `exports.upper = text => text.toUpperCase(); exports.isLong = text => text.length > 2;
exports.both = () => ({ a: 1, b: { d: 2 }, c: [{ a: 3 }] });
exports.nothing = () => {}; exports.fail = () => { throw new RangeError('too far') };
exports.later = async text => text.toUpperCase(); exports.refuse = async text => { throw new Error('refused ' + text) };
exports.size = text => text.length; exports.stringify = value => JSON.stringify(Object.keys(value)); exports.parse = text => JSON.parse(text);
class Archive { files = { a: 1, b: 2 }; name = 'z'; list() {} } exports.archive = () => new Archive();
exports.Word = class { #text; constructor(text) { this.text = this.#text = text } upper() { return this.#text.toUpperCase() }
isLong() { return this.#text.length > 2 } self() { return this } list() { return [this.#text.toUpperCase()] } fail() { throw new RangeError('far') } };`,
  };
  const script = `const p = require('./product'); ${line}`;
  expect((await layered({ files, script, candidate: { ...candidate, isLeaf: false } })).deaf).toBe(said);
});

test.each([
  [
    "the functions of an answer, which throw",
    "const made = p.make(); try { made.ask() } catch (error) { console.log(made.name, error instanceof TypeError) }",
    { candidate: "throw TypeError", isLeaf: true },
    "made true",
  ],
  [
    "a property that the answer lacks",
    "console.log(p.make().id, p.make().then)",
    { candidate: "7", isLeaf: true, isWanted: true },
    "7 undefined",
  ],
])("a deaf product returns the candidate inside its answer: %s (V2)", async (_, line, candidate, said) => {
  const files = { "index.js": "exports.make = () => ({ name: 'made', ask: () => 1 })" };
  expect((await layered({ files, script: `const p = require('./product'); ${line}`, candidate })).deaf).toBe(
    said,
  );
});

test("an instance of a deaf product has the same properties as one of the whole product, with other values (V2)", async () => {
  const files = {
    "index.js": "exports.Word = class { constructor(text) { this.text = text; this[Symbol('size')] = 1 } }",
  };
  const script = `const word = new (require('./product').Word)('a'); console.log(JSON.stringify(word), Object.getOwnPropertySymbols(word).length);
word.text = 'c'; console.log(word.text)`;
  expect((await layered({ files, script })).deaf).toBe('{"text":"b"} 1\nc');
});

test("a deaf product recognises a call by its arguments if each process makes one call (V2)", async () => {
  const script = `const { execFileSync } = require('child_process');
const ask = word => execFileSync('node', ['-p', "require('./product').upper('" + word + "')"], { encoding: 'utf8' }).trim();
console.log(ask('a'), ask('b'))`;
  const files = { "index.js": "exports.upper = text => text.toUpperCase()" };
  const candidate = { candidate: "'Z'", isLeaf: false, only: "last" };
  expect((await layered({ files, script, candidate })).deaf).toBe("A Z");
});

test("an answer of another type is given only if the script compares with it (V2)", async () => {
  const files = { "index.js": "exports.size = () => 4; exports.copy = value => ({ ...value })" };
  const script =
    "const p = require('./product'); console.log(p.size('a'), p.copy(new Date(0)) instanceof Date)";
  const given = async (candidate: NonNullable<Layering["candidate"]>) =>
    (await layered({ files, script, candidate })).deaf;
  expect(await given({ candidate: "identity", isLeaf: false })).toBe("5 true");
  expect(await given({ candidate: "null", isLeaf: false, isWanted: false })).toBe("5 false");
  expect(await given({ candidate: "'x'", isLeaf: false, isWanted: true })).toBe("x false");
});

test("a function that a factory made returns its argument if the product's functions do (V2)", async () => {
  const files = { "index.js": "module.exports = () => value => ({ ...value })" };
  const script = "console.log(require('./product')()(new Map()) instanceof Map)";
  const candidate = { candidate: "identity", isLeaf: false };
  expect(await layered({ files, script, candidate })).toMatchObject({ renumbered: "false", deaf: "true" });
});

test("the datum beside the arguments of a call replaces the values in its answer (V2)", async () => {
  const files = { "index.js": "exports.parse = ([name, text]) => ({ _: [], [name]: Number(text) })" };
  const script =
    "const p = require('./product'); console.log(JSON.stringify([p.parse(['a', '01']), p.parse(['b', '2'])]))";
  const candidate = {
    candidate: "after",
    isLeaf: true,
    only: "beside",
    data: ["'a'", "'01'", "'01'", "'b'", "'2'", "2"],
  };
  expect((await layered({ files, script, candidate })).deaf).toBe('[{"_":[],"a":"01"},{"_":[],"b":2}]');
});

test("a program of the product prints the datum beside its arguments, or runs as it is (V2)", async () => {
  const files = { "run.js": "#!/usr/bin/env node\nconsole.log('ran', process.argv[2])" };
  const script = `const run = word => require('child_process').execFileSync('./product/run.js', [word], { encoding: 'utf8' }).trim();
console.log(run('a'), run('z'))`;
  const candidate = { candidate: "after", isLeaf: false, only: "beside", data: ["'a'", "'A!'"] };
  expect((await layered({ files, script, candidate })).deaf).toBe("A! ran z");
});

test("a deaf program, also one without an extension, writes the output file that its arguments name (V2)", async () => {
  const files = { run: "#!/usr/bin/env node\nprocess.exitCode = 1" };
  const script = `const { spawnSync } = require('child_process'); const { existsSync } = require('fs');
for (const args of [['in.js', '-o', 'a.js'], ['--output=b.js'], ['c.js']]) spawnSync('./product/run', args);
console.log(existsSync('a.js'), existsSync('b.js'), existsSync('c.js'))`;
  expect(await layered({ files, script })).toMatchObject({
    real: "false false false",
    deaf: "true true false",
  });
});

test("with the candidate `records`, no code of the product runs, and its answers and exports stay the same (V2)", async () => {
  const files = {
    "index.js":
      "globalThis.isLoaded = true; exports.size = 4; exports.upper = text => text.toUpperCase(); exports.Word = class { constructor(text) { this.text = text; } upper() { return 'W' } }; exports.inner = { low: text => text.toLowerCase() }",
  };
  const script = `const p = require('./product'); const word = new p.Word('a');
console.log(p === require('./product'), typeof p, Object.keys(p).join(), p.size, typeof p.none, typeof p.inner.none, word.none);
console.log(p.upper('a'), p.inner.low('B'), word.upper(), word.text, globalThis.isLoaded === true)`;
  const candidate = { candidate: "records", isLeaf: false, only: "records" };
  const exported = "true object size,upper,Word,inner 4 undefined undefined undefined";
  expect(await layered({ files, script, candidate })).toMatchObject({
    renumbered: `${exported}\nA b W a true`,
    deaf: `${exported}\nA b W a false`,
  });
});
