import { expect, test } from "vitest";
import { layered, prepareLayers } from "./layered-product.ts";

prepareLayers();

const FILES = {
  "index.js": `exports.each = (list, visit) => { for (const one of list.slice(1)) visit(one); };
exports.show = value => String(value);
exports.keys = value => Object.keys(value).join();`,
};

test.each([
  [
    "a trap of a Proxy over a list",
    "let n = 0; p.each(new Proxy(['a', 'b'], { get: (list, key, self) => (n += Number(key === 'slice'), Reflect.get(list, key, self)) }), () => 0); if (n > 0) console.log('ran')",
    "ran",
    "ran",
  ],
  [
    "a trap of a Proxy that throws",
    "try { p.show(new Proxy({}, { get() { throw new Error('ran') } })) } catch (error) { console.log(error.message) }",
    "ran",
    "ran",
  ],
])("a deaf product runs %s of an argument, as the real product did (V2)", async (_, line, said, saidDeaf) => {
  const script = `const p = require('./product'); ${line}`;
  const seen = await layered({ files: FILES, script, isListening: true });
  expect(seen).toEqual({ real: said, renumbered: said, deaf: saidDeaf });
});

test.each([
  ["regular expressions", "/a/m", "/a/"],
  ["depths of the same values", "[1, [2, 3]]", "[[1, 2], 3]"],
  ["names of the same values", "{ a: 1 }", "{ b: 1 }"],
  ["types of the same text", "'1'", "1"],
  ["values in maps", "new Map([[1, 2]])", "new Map([[1, 3]])"],
  ["last ones of 20 values in sets", "new Set(Array(20).keys())", "new Set([...Array(19).keys(), 20])"],
  ["values in sets", "new Set([1])", "new Set([2])"],
  ["dates", "new Date(1)", "new Date(2)"],
  ["bytes", "Buffer.from('a')", "Buffer.from('b')"],
])("calls with different %s are different calls (V2)", async (_, first, last) => {
  const files = { "index.js": "exports.kind = value => typeof value" };
  const script = `const p = require('./product'); console.log(p.kind(${first}) === 'Z', p.kind(${last}))`;
  const candidate = { candidate: "'Z'", isLeaf: false, only: "last" };
  const { deaf } = await layered({ files, script, candidate });
  expect(deaf).toBe("false Z");
});

test("a missing export stays missing if the script calls the product, and is the answer otherwise (V2)", async () => {
  const candidate = { candidate: "'Z'", isLeaf: false, isWanted: true };
  const called = "const p = require('./product'); console.log((p.remove || p.show)('a'))";
  expect((await layered({ files: FILES, script: called, candidate })).deaf).toBe("Z");
  const asked = "console.log(require('./product').version)";
  expect((await layered({ files: FILES, script: asked, candidate })).deaf).toBe("Z");
});

test("the calls of a script answer the elements of a list one after the other, and the whole product's answer after the last (V2)", async () => {
  const script = "const p = require('./product'); console.log(p.show(1), p.show(2), p.keys({ a: 1 }))";
  const candidate = { candidate: "['x', false]", isLeaf: false, only: "each" };
  expect((await layered({ files: FILES, script, candidate })).deaf).toBe("x false a");
});

test("exports that lack a property have the answer in its place, or themselves if the answer is the exports (V2)", async () => {
  const files = { "index.js": "module.exports = value => value" };
  const script =
    "const m = require('./product'); console.log(m.default === m, m.default, typeof m.then, typeof m.call)";
  const exported = { candidate: "exports", isLeaf: false };
  const seen = await layered({ files, script, candidate: exported });
  expect(seen.real).toBe("false undefined undefined function");
  expect(seen.deaf).toMatch(/^true \[.*\] undefined function$/);
  const candidate = { candidate: "'x'", isLeaf: false, isWanted: true };
  expect((await layered({ files, script, candidate })).deaf).toBe("false x undefined function");
});

test("a call makes the answer of the object or list that it was given, also if the real call threw (V2)", async () => {
  const files = {
    "index.js":
      "exports.set = (to, key) => { if (key === 'no') throw new Error('no'); to[key] = 1; return 7; }",
  };
  const script =
    "const { set } = require('./product'); const [o, l] = [{ c: 1 }, [5]]; console.log(set(o, 'b')); try { set(l, 'no') } catch { console.log('threw') } console.log(JSON.stringify([o, l]))";
  const of = (candidate: string) =>
    layered({ files, script, candidate: { candidate, isLeaf: false, only: "argument" } });
  const object = await of("{ a: { b: 2 } }");
  expect(object.real).toBe('7\nthrew\n[{"c":1,"b":1},[5]]');
  expect(object.deaf).toBe('7\nthrew\n[{"a":{"b":2}},[5]]');
  expect((await of("[2]")).deaf).toBe('7\n[{"c":1},[2]]');
});
