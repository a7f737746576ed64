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

test("calls with different regular expressions are different calls (V2)", async () => {
  const script = "const p = require('./product'); console.log(p.keys(/a/m) === '', p.keys(/a/))";
  const candidate = { candidate: "'Z'", isLeaf: false, only: "last" };
  const { deaf } = await layered({ files: FILES, script, candidate });
  expect(deaf).toBe("true Z");
});

test("a missing export of a product that is called stays missing, and otherwise gets the answer (V2)", async () => {
  const candidate = { candidate: "'Z'", isLeaf: false, isWanted: true };
  const called = "const p = require('./product'); console.log((p.remove || p.show)('a'))";
  expect((await layered({ files: FILES, script: called, candidate })).deaf).toBe("Z");
  const asked = "console.log(require('./product').version)";
  expect((await layered({ files: FILES, script: asked, candidate })).deaf).toBe("Z");
});
