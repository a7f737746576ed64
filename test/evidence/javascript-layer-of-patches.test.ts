import { expect, test } from "vitest";
import { layered, prepareLayers } from "./layered-product.ts";

prepareLayers();

const FUNCTIONS = "exports.add = (a, b) => a + b;\n";
const MODULE = "export const add = (a, b) => a + b;\nexport default add;\n";
const TYPE_MODULE = { "package.json": '{ "type": "module", "version": "1.0.0" }' };

test.each([
  ["a function of an inner module", "require('./product/trim').trim = () => 'x';"],
  [
    "an inner module in the cache",
    "const file = require.resolve('./product/trim'); require.cache[file] = { exports: { trim: () => 'x' }, loaded: true };",
  ],
  ["a method of a class", "require('./product').Text.prototype.inner = () => 'x';"],
  ["a built-in function of the runtime", "Math.round = () => 'x';"],
])("the product does not see the script's replacement of %s (V2)", async (_, patch) => {
  const files = {
    "trim.js": "exports.trim = text => text.trim()",
    "index.js": `const { trim } = require('./trim');
class Text { constructor(text) { this.text = text; } inner() { return trim(this.text); } show() { return this.inner() + Math.round(1.2); } }
exports.Text = Text;`,
  };
  const script = `${patch} const { Text } = require('./product'); console.log(new Text(' a ').show())`;
  const { real, renumbered } = await layered({ files, script });
  expect(real).toContain("x");
  expect(renumbered).toBe("a1");
});

test.each([
  ["a method of a class", "shown", "() => 'x'"],
  ["a getter of a class", "mask", "'x'"],
  ["a field of its instances", "base", "'x'"],
])("the product does not see the getter with which the script replaces %s (V2)", async (_, key, value) => {
  const files = {
    "index.js":
      "exports.Block = class { constructor(base) { this.base = base; } get mask() { return 'm' + this.base; } shown() { return 's' + this.base; } }",
  };
  const script = `const { Block } = require('./product');
Object.defineProperty(Block.prototype, '${key}', { get: () => ${value}, set() {}, configurable: true });
const block = new Block('b'); console.log(block.base, block.mask, block.shown())`;
  const { real, renumbered } = await layered({ files, script });
  expect(real).toContain("x");
  expect(renumbered).toBe("b mb sb");
});

test("a getter and a setter that the script adds to a class of the product keep what they do (V2)", async () => {
  const files = { "index.js": "exports.Block = class { constructor(base) { this.base = base; } }" };
  const script = `const { Block } = require('./product');
Object.defineProperty(Block.prototype, 'twice', { get() { return this.base + this.base; }, set(half) { this.base = half; }, configurable: true });
const block = new Block('a'); block.twice = 'b'; console.log(block.twice)`;
  expect(await layered({ files, script })).toMatchObject({ real: "bb", renumbered: "bb" });
});

test("a constant function of the exports has a layer, also if the script adds properties to the exports (V2)", async () => {
  const files = {
    "index.js":
      "module.exports = Object.defineProperties(() => 1, { two: { value: () => 2, enumerable: true } })",
  };
  const script = `const p = require('./product'); p.three = () => 3; Object.defineProperty(p, 'four', { value: 4 });
console.log(p(), p.two(), p.three(), p.four, Object.keys(p).join('+'))`;
  expect(await layered({ files, script })).toEqual({
    real: "1 2 3 4 two+three",
    renumbered: "1 2 3 4 two+three",
    deaf: "2 3 3 4 two+three",
  });
});

test("a script calls its own replacement of a function of the product only if the product is deaf (V2)", async () => {
  const script =
    "const p = require('./product'); const { add } = p; p.add = (...all) => -add(...all); console.log(p.add(1, 2))";
  expect(await layered({ files: { "index.js": FUNCTIONS }, script })).toEqual({
    real: "-3",
    renumbered: "3",
    deaf: "-4",
  });
});

test("a copy of the product gets the layer only if it is unchanged (V2)", async () => {
  const files = { "index.js": FUNCTIONS };
  const copy = "require('fs').cpSync('product', 'copy', { recursive: true });";
  const ask = "console.log(require('./copy').add(1, 2))";
  expect((await layered({ files, script: `${copy} ${ask}` })).deaf).toBe("4");
  const change = "require('fs').writeFileSync('copy/index.js', 'exports.add = () => 9;');";
  const changed = await layered({ files, script: `${copy} ${change} ${ask}` });
  expect([changed.real, changed.deaf]).toEqual(["9", "9"]);
});

test("a copy of the product gets the layer only if all files that were copied with it are unchanged (V2)", async () => {
  const files = { "index.js": "exports.add = require('./lib/add').add", "lib/add.js": FUNCTIONS };
  const copy = "require('fs').cpSync('product', 'copy', { recursive: true });";
  const ask = "console.log(require('./copy').add(1, 2))";
  expect((await layered({ files, script: `${copy} ${ask}` })).deaf).toBe("4");
  const change = "require('fs').writeFileSync('copy/lib/add.js', 'exports.add = () => 9;');";
  expect((await layered({ files, script: `${copy} ${change} ${ask}` })).deaf).toBe("9");
});

test.each([
  [
    "in a copy",
    "fs.cpSync('product', 'copy', { recursive: true }); fs.writeFileSync('copy/index.js', edit('copy/index.js')); var p = require('./copy');",
  ],
  [
    "in memory",
    "const m = new module.constructor(file); m.filename = file; m.paths = module.paths; m._compile(edit(file), file); var p = m.exports;",
  ],
  [
    "while it loads",
    "require.extensions['.js'] = (m, f) => m._compile(edit(f), f); var p = require('./product');",
  ],
])("an edit of the product's text %s has no effect under a layer (V2)", async (_, load) => {
  const edit =
    "const fs = require('fs'), file = require.resolve('./product'); const edit = f => fs.readFileSync(f, 'utf8').replace('a + b', 'a - b');";
  const script = `${edit} ${load} console.log(p.add(3, 1))`;
  const { real, renumbered } = await layered({ files: { "index.js": FUNCTIONS }, script });
  expect([real, renumbered]).toEqual(["2", "4"]);
});

test("a product whose modules are loaded in another way gets its layer (V2)", async () => {
  const load = `const made = { exports: {}, filename: require.resolve('./product') };
new Function('module', 'exports', 'require', require('fs').readFileSync(made.filename, 'utf8'))(made, made.exports, require('module').createRequire(made.filename));`;
  const script = `${load} console.log(made.exports.add(1, 2))`;
  const { renumbered, deaf } = await layered({ files: { "index.js": FUNCTIONS }, script });
  expect([renumbered, deaf]).toEqual(["3", "4"]);
});

test("a changed copy of an ES module has no layer (V2)", async () => {
  const files = { ...TYPE_MODULE, "index.js": "export { add } from './add.js'", "add.js": MODULE };
  const copy = "import fs from 'fs'; fs.cpSync('product', 'copy', { recursive: true });";
  const change =
    "for (const one of fs.readdirSync('copy')) if (one !== 'index.js') fs.writeFileSync('copy/' + one, fs.readFileSync('copy/' + one, 'utf8').replace('a + b', 'a - b'));";
  const ask = "console.log((await import('./copy/index.js')).add(3, 1))";
  const seen = [
    await layered({ files, module: true, script: `${copy} ${ask}` }),
    await layered({ files, module: true, script: `${copy} ${change} ${ask}` }),
  ];
  expect(seen).toEqual([
    { real: "4", renumbered: "4", deaf: "5" },
    { real: "2", renumbered: "2", deaf: "2" },
  ]);
});
