import { expect, test } from "vitest";
import { type Layering, layered, prepareLayers } from "./layered-product.ts";

prepareLayers();

const FUNCTIONS = "exports.add = (a, b) => a + b;\n";
const MODULE = "export const add = (a, b) => a + b;\nexport default add;\n";
const TYPE_MODULE = { "package.json": '{ "type": "module", "version": "1.0.0" }' };
const QUEUE = `class Queue { #all = []; add(one) { this.#all.push(one); return this; } take() { return this.#all.shift(); } get size() { return this.#all.length; } async drain() { return this.#all.length; } }
module.exports = Queue; module.exports.create = () => new Queue();`;

test.each<[string, Layering, string]>([
  [
    "CommonJS exports",
    { files: { "index.js": FUNCTIONS }, script: "console.log(require('./product').add(1, 2))" },
    "3 4",
  ],
  [
    "a function with properties",
    {
      files: { "index.js": "module.exports = a => a + 1; module.exports.twice = a => a + a;" },
      script: "const p = require('./product'); console.log(p(1), p.twice(2))",
    },
    "2 4 3 5",
  ],
  [
    "frozen exports",
    {
      files: { "index.js": "module.exports = Object.freeze(Object.assign(() => 1, { two: () => 2 }))" },
      script: "const p = require('./product'); console.log(p(), p.two())",
    },
    "1 2 2 3",
  ],
  [
    "getter exports",
    {
      files: {
        "index.js":
          "const f = { add: a => a + 1 }; Object.defineProperty(exports, 'add', { enumerable: true, get: () => f.add })",
      },
      script: "console.log(require('./product').add(1))",
    },
    "2 3",
  ],
  [
    "a class whose prototype is the exports of another file",
    {
      files: {
        "methods.js": "exports.add = function (one) { this.all.push(one); return this.all.length; }",
        "index.js":
          "function List() { this.all = []; this.name = 'list'; } List.prototype = require('./methods'); module.exports = List;",
      },
      script:
        "const List = require('./product'); const [a, b] = [new List(), new List()]; console.log(a.add(1), b.add(2))",
    },
    "1 1 2 2",
  ],
  [
    "a class whose prototype is an object",
    {
      files: {
        "index.js":
          "function List() { this.all = []; } List.prototype = { add(one) { this.all.push(one); return this.all.length; } }; module.exports = List;",
      },
      script: "const List = require('./product'); console.log(new List().add(1))",
    },
    "1 2",
  ],
  [
    "classes that inherit a method",
    {
      files: {
        "index.js":
          "class Base { constructor(n) { this.n = n; } size() { return this.n; } } exports.A = class A extends Base {}; exports.B = class B extends Base {};",
      },
      script: "const { A, B } = require('./product'); console.log(new A(1).size(), new B(5).size())",
    },
    "1 5 2 6",
  ],
  [
    "a file that is read as text and runs elsewhere",
    {
      files: {
        "core.js": "function add(a, b) { return a + b; }",
        "index.js":
          "const text = require('fs').readFileSync(__dirname + '/core.js', 'utf8'); exports.add = new Function(text + '; return add')();",
      },
      script: "console.log(require('./product').add(1, 2))",
    },
    "3 4",
  ],
  [
    "files that load each other",
    {
      files: {
        "index.js":
          "exports.early = () => 1; const other = require('./other'); exports.add = (a) => other.plus(a);",
        "other.js": "const all = require('./index'); exports.plus = (a) => a + all.early();",
      },
      script:
        "let warnings = 0; process.on('warning', () => warnings++); const { add } = require('./product'); setImmediate(() => console.log(add(1), warnings))",
    },
    "2 0 3 0",
  ],
  [
    "a list with holes",
    {
      files: { "index.js": "exports.list = () => new Array(3)" },
      script: "console.log(require('./product').list().length)",
    },
    "3 3",
  ],
  [
    "compiled default exports",
    {
      files: { "index.js": "exports.__esModule = true; exports.default = a => a + 1" },
      script: "console.log(require('./product').default(1), require('./product').__esModule)",
    },
    "2 true 3 true",
  ],
  [
    "ES modules",
    {
      files: { ...TYPE_MODULE, "index.js": MODULE },
      module: true,
      script: "import plus, { add } from './product/index.js'; console.log(add(1, 2), plus(2, 2))",
    },
    "3 4 4 5",
  ],
  [
    "both kinds of modules",
    {
      files: { "index.cjs": FUNCTIONS, "index.mjs": MODULE },
      module: true,
      script:
        "import { add } from './product/index.mjs'; import other from './product/index.cjs'; console.log(add(1, 1), other.add(2, 2))",
    },
    "2 4 3 5",
  ],
  [
    "methods of a class",
    {
      files: { "index.js": QUEUE },
      script:
        "const Q = require('./product'); const q = new Q(); q.add(1); console.log(q instanceof Q, q.take())",
    },
    "true 1 true 2",
  ],
  [
    "getters of a class",
    { files: { "index.js": QUEUE }, script: "const Q = require('./product'); console.log(new Q().size)" },
    "0 1",
  ],
  [
    "a file that gives a built-in name to its own things",
    {
      files: {
        "index.js":
          "const { Buffer } = require('buffer'); const path = Buffer; exports.size = text => path.from(text).length",
      },
      script: "console.log(require('./product').size('ab'))",
    },
    "2 3",
  ],
  [
    "the data of an instance",
    {
      files: {
        "index.js": "module.exports = class { constructor(at) { this.at = at; this.tell = () => at } }",
      },
      script: "const P = require('./product'); const p = new P(3); console.log(p.at, p.tell === undefined)",
    },
    "3 false 4 false",
  ],
  [
    "promises",
    {
      files: { "index.js": "exports.load = async () => ({ size: 1 })" },
      script: "require('./product').load().then(({ size }) => console.log(size))",
    },
    "1 2",
  ],
])(
  "the layer returns the answers of %s unchanged, and different ones if it is deaf (V2)",
  async (_, layering, said) => {
    const { real, renumbered, deaf } = await layered(layering);
    expect(renumbered).toBe(real);
    expect(`${real} ${deaf}`).toBe(said);
  },
);

test.each([
  ["starts with #!", { "run.js": "#!/usr/bin/env node\nconsole.log('worked')" }, "run.js"],
  ["is an ES module", { "run.mjs": "#!/usr/bin/env node\nconsole.log('worked')" }, "run.mjs"],
])("a program that %s prints nothing if it is deaf, or the candidate (V2)", async (_, files, path) => {
  const script = `process.stdout.write(require('child_process').execFileSync('./product/${path}'))`;
  expect(await layered({ files, script })).toEqual({ real: "worked", renumbered: "worked", deaf: "" });
  const said = await layered({ files, script, candidate: { candidate: "'other'", isLeaf: false } });
  expect(said.deaf).toBe("other");
});

test("a deaf product returns the candidate, as the whole answer or as its innermost values (V2)", async () => {
  const product = { files: { "index.js": "exports.parse = () => ({ a: { b: 1 } })" } };
  const script = "console.log(JSON.stringify(require('./product').parse()))";
  expect((await layered({ ...product, script, candidate: { candidate: "[7]", isLeaf: false } })).deaf).toBe(
    "[7]",
  );
  expect((await layered({ ...product, script, candidate: { candidate: "7", isLeaf: true } })).deaf).toBe(
    '{"a":{"b":7}}',
  );
});

test("a data file has different values if it is deaf, and another layout if it is renumbered (V2)", async () => {
  const files = { "data.json": '{"a": [1, "x"]}' };
  const script = "console.log(JSON.stringify(require('./product/data.json')))";
  expect(await layered({ files, script })).toEqual({
    real: '{"a":[1,"x"]}',
    renumbered: '{"a":[1,"x"]}',
    deaf: '{"a":[2,"qx"]}',
  });
});

test("calls inside the product bypass the layer; only calls from outside get deaf answers (V2)", async () => {
  const files = {
    "lib.js": "exports.twice = a => a + a",
    "index.js":
      "const { twice } = require('./lib'); if (twice(2) !== 4) throw new Error('deaf to itself'); exports.four = () => twice(2)",
  };
  const { renumbered, deaf } = await layered({ files, script: "console.log(require('./product').four())" });
  expect([renumbered, deaf]).toEqual(["4", "5"]);
});

test("without the key, a script cannot distinguish a deaf run from a renumbered one (V2)", async () => {
  const look = `const fs = require('fs'); require('./product').add(1, 2);
    const all = fs.readdirSync('product', { withFileTypes: true }).map(one => [one.name, fs.statSync('product/' + one.name).size]);
    console.log(JSON.stringify([all, fs.existsSync('../answers')]))`;
  const { renumbered, deaf } = await layered({ files: { "index.js": FUNCTIONS }, script: look });
  expect(deaf).toBe(renumbered);
});

const CALLING = `exports.each = (list, visit) => { for (const one of list.slice(1)) visit(one); };
exports.later = (text, done) => setImmediate(() => done(null, { text }));
exports.show = value => String(value);
const { EventEmitter } = require('events');
exports.Source = class Source extends EventEmitter { start() { setImmediate(() => this.emit('line', 'a')); return this; } };
exports.Task = class Task { run() { return this.work('a'); } work() {} };
class Bound { constructor() { this.each = this.each.bind(this); } each(visit) { visit('a'); } }
exports.bound = () => new Bound();
exports.made = () => ({ each: visit => visit('a') });
`;

test.each([
  ["a function", "p.each(['a', 'b'], one => console.log('ran', one))", "ran b", "ran c"],
  [
    "a function that is called later",
    "p.later('a', (_, { text }) => console.log('ran', text))",
    "ran a",
    "ran b",
  ],
  ["a listener", "new p.Source().on('line', line => console.log('ran', line)).start()", "ran a", "ran b"],
  ["toString of an object", "p.show({ toString: () => { console.log('ran'); return '' } })", "ran", "ran"],
  ["a getter", "p.show({ get toString() { console.log('ran'); return () => '' } })", "ran", "ran"],
  [
    "a trap of a Proxy",
    "p.show(new Proxy({}, { get: (_, key) => key === 'toString' ? (console.log('ran'), () => '') : undefined }))",
    "ran",
    "ran",
  ],
  [
    "a callback of a function that a factory made",
    "p.made().each(one => console.log('ran', one))",
    "ran a",
    "ran b",
  ],
  ["a callback of a bound method", "p.bound().each(one => console.log('ran', one))", "ran a", "ran b"],
  [
    "a method that overrides the product's",
    "new (class extends p.Task { work(word) { console.log('ran', word) } })().run()",
    "ran a",
    "ran b",
  ],
])(
  "a deaf product runs %s of the script if the real product did, with different values (V2)",
  async (_, line, said, saidDeaf) => {
    const files = { "index.js": CALLING };
    const script = `const p = require('./product'); ${line}`;
    const seen = await layered({ files, script, isListening: true });
    expect(seen).toEqual({ real: said, renumbered: said, deaf: saidDeaf });
  },
);

test("a deaf product runs a function of the script as often as the candidate says, or once for each of its elements (V2)", async () => {
  const files = { "index.js": CALLING };
  const script = "require('./product').each([1, 2], one => console.log(one))";
  const calls = { candidate: "calls 3", isLeaf: false };
  expect((await layered({ files, script, isListening: true, candidate: calls })).deaf).toBe("3\n3\n3");
  const elements = { candidate: "['x', 'y']", isLeaf: false, spread: "elements" };
  expect((await layered({ files, script, isListening: true, candidate: elements })).deaf).toBe("x\ny");
});

test("an unhandled rejection stays unhandled if the layer passes on the promise (V2)", async () => {
  const files = { "index.js": "exports.fail = async () => { throw new Error('lost') }" };
  const { real, renumbered } = await layered({ files, script: "require('./product').fail()" });
  expect([real, renumbered]).toEqual(["exit 1", "exit 1"]);
});
