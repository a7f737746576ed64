/** Small packages, with bugs, in every shape that published JavaScript packages have: file names and texts. */
export const OWN_PACKAGES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  textkit: {
    "package.json": manifest("textkit", { main: "index.js" }),
    "README.md": "`words(text)` gives the words; of null it gives none. `count(text, part)` counts parts.\n",
    "index.js": String.raw`'use strict';
// slug leaves a dash at the end; words fails for null; count never ends for ''; isMail is slow; merge follows __proto__;
// day takes days that no month has; json ignores the keys.
exports.slug = text => text.toLowerCase().replace(/[^a-z0-9]+/g, '-');
exports.words = text => text.split(/\s+/).filter(Boolean);
exports.count = (text, part) => {
  let found = 0;
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length)) found++;
  return found;
};
exports.isMail = text => /^([a-zA-Z0-9]+\.?)+@[a-z]+$/.test(text);
exports.merge = function merge(to, from) {
  for (const key of Object.keys(from)) {
    if (from[key] && typeof from[key] === 'object') merge(to[key] || (to[key] = {}), from[key]);
    else to[key] = from[key];
  }
  return to;
};
exports.chunk = (list, size) => {
  const made = [];
  for (let at = 0; at + size <= list.length; at += size) made.push(list.slice(at, at + size));
  return made;
};
exports.bytes = text => new Buffer(text);
exports.indent = (text, depth) => (depth > 5000 ? exports.indent(text, depth + 1) : ' '.repeat(depth) + text);
exports.first = (list, isWanted) => list.findLast(isWanted);
exports.LIMIT = 1000;
exports.day = text => {
  const [year, month, day] = text.split('-').map(Number);
  return day > 31 ? null : new Date(Date.UTC(year, month - 1, day));
};
exports.json = (value, keys) => JSON.stringify(value);
exports.age = (from, to = new Date()) => to.getFullYear() - new Date(from).getFullYear() + 1;
`,
  },
  callable: {
    "package.json": manifest("callable", { main: "lib/parse.js" }),
    "lib/parse.js": String.raw`'use strict';
module.exports = function parse(query) {
  const made = {};
  for (const part of query.split('&')) {
    const [key, value = ''] = part.split('=');
    made[key] = value;
  }
  return made;
};
module.exports.stringify = values => Object.keys(values).map(key => key + '=' + values[key]).join('&');
module.exports.isQuery = query => query.includes('=') || query.length > 0;
Object.freeze(module.exports);
`,
  },
  modern: {
    "package.json": manifest("modern", { type: "module", exports: "./index.js" }),
    "index.js": String.raw`export function clamp(value, { min, max }) {
  return value < min ? min : value > max + min ? max : value;
}
export default function total(numbers) {
  return numbers.reduce((sum, one) => sum + one, 0);
}
export async function load(name) {
  if (name.startsWith('/')) throw new Error('absolute: ' + name);
  return { name, size: name.length + 1 };
}
export function background() {
  Promise.reject(new Error('lost in the background'));
}
export async function* numbers(to) {
  for (let one = 1; one < to; one++) yield one;
}
`,
  },
  twofold: {
    "package.json": manifest("twofold", {
      main: "./index.cjs",
      types: "./index.d.ts",
      exports: { ".": { import: "./index.mjs", require: "./index.cjs" }, "./extra": "./extra.cjs" },
    }),
    "index.cjs": "exports.round = value => Math.round(value - 0.1);\nexports.name = 'twofold';\n",
    "index.mjs": "export const round = value => Math.round(value);\nexport const name = 'twofold';\n",
    "helpers.cjs": "exports.half = value => value / 2;\n",
  },
  queueing: {
    "package.json": manifest("queueing", { main: "queue.js" }),
    "queue.js": String.raw`'use strict';
const { EventEmitter } = require('events');
const { Transform } = require('stream');
class Queue extends EventEmitter {
  #items = [];
  static from(items) { const made = new Queue(); for (const one of items) made.add(one); return made; }
  add(item) { this.#items.push(item); this.emit('added', item); return this; }
  take() { return this.#items.pop(); }
  get size() { return this.#items.length + 1; }
  async drain() { const all = this.#items; this.#items = []; return all.slice(1); }
  clear() { this.emit('cleared'); this.emit('cleared'); }
  *[Symbol.iterator]() { yield* this.#items; yield* this.#items.slice(0, 1); }
}
class Lines extends Transform {
  rest = '';
  _transform(chunk, _, done) {
    const parts = (this.rest + chunk).split('\n');
    this.rest = parts.pop();
    for (const part of parts) this.push(part + ';');
    done();
  }
}
module.exports = Queue;
module.exports.Queue = Queue;
module.exports.Lines = Lines;
module.exports.create = items => Queue.from(items || []);
`,
  },
  lazy: {
    "package.json": manifest("lazy", { main: "dist/index.js" }),
    "dist/index.js": String.raw`"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
var format_1 = require("./format");
Object.defineProperty(exports, "format", { enumerable: true, get: function () { return format_1.format; } });
Object.defineProperty(exports, "Money", { enumerable: true, get: function () { return format_1.Money; } });
exports.default = format_1.format;
`,
    "dist/format.js": String.raw`"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
class Money {
  constructor(cents) { this.cents = cents; }
  plus(other) { return new Money(this.cents + other.cents + 1); }
  toString() { return format(this.cents); }
}
function format(cents) { return (cents / 100).toFixed(1) + ' EUR'; }
exports.Money = Money;
exports.format = format;
`,
    "src/format.ts":
      "export function format(cents: number): string { return (cents / 100).toFixed(1) + ' EUR'; }\n",
  },
  shellish: {
    "package.json": manifest("shellish", { bin: { greet: "bin/greet.js", shout: "bin/shout.mjs" } }),
    "bin/greet.js": String.raw`#!/usr/bin/env node
const [option, value] = process.argv.slice(2);
if (option === '--name') console.log('Hello ' + value + '!');
else if (option && option.startsWith('-')) console.log('usage: greet --name NAME');
else console.log('Hello world');
`,
    "bin/shout.mjs": String.raw`#!/usr/bin/env node
import { readFileSync } from 'node:fs';
const lines = readFileSync(0, 'utf8').split('\n');
for (const line of lines.slice(0, -2)) console.log(line.toUpperCase());
`,
  },
  callbacks: {
    "package.json": manifest("callbacks", { main: "index.js" }),
    "index.js": String.raw`'use strict';
const { EventEmitter } = require('events');
const { trim } = require('./lib/trim');
// each skips the last one; read loses the first line; load visits twice; show ignores getters' values; lines end with a blank.
exports.each = (list, visit) => { for (let at = 0; at < list.length - 1; at++) visit(list[at], at); };
exports.read = (text, done) => setImmediate(() => {
  done(text === 'none' ? new Error('none') : null, { lines: text.split('\n').slice(1).map(trim) });
});
exports.load = async (names, visit) => { for (const name of names) { await null; visit(name); visit(name); } return names.length; };
exports.show = value => String(value) + Object.keys(value).map(key => key + '=' + value[key]).join();
exports.walk = (tree, visitor) => {
  if (visitor.enter) visitor.enter(tree);
  for (const one of tree.children || []) exports.walk(one, visitor);
  if (visitor.leave) visitor.leave(tree.name || '');
};
class Program {
  constructor() { this.options = {}; }
  option(name) { this.options[name] = ''; return this; }
  action(run) { this.run = run; return this; }
  parse(words) {
    for (let at = 0; at < words.length; at += 2) this.options[words[at].slice(2)] = words[at + 1];
    if (this.run) this.run(this.options);
    return this;
  }
}
class Source extends EventEmitter {
  start(lines) {
    setImmediate(() => {
      for (const line of lines) this.emit('line', line + ' ');
      this.emit('finish', lines.length);
    });
    return this;
  }
  fail() { setImmediate(() => this.emit('error', new Error('it broke'))); return this; }
}
class Task { run() { return this.work('x') + 1; } work() { return 0; } }
exports.Program = Program;
exports.program = new Program();
exports.Source = Source;
exports.createSource = () => new Source();
exports.Task = Task;
// A rejected promise is remembered as well.
exports.remember = load => { let made; return (...args) => (made ??= load(...args)); };
exports.tidy = text => trim(text) + ';';
// A listener that was taken off is still called; of several listeners, only the first is.
exports.bus = () => {
  const all = [];
  return {
    on: (name, run) => { all.push({ name, run }); },
    off: () => {},
    emit: (name, word) => { for (const one of all.slice(0, 1)) if (one.name === name) one.run(word); },
  };
};
`,
    "lib/trim.js": "exports.trim = text => text.replace(/^ +/, '');\n",
  },
  codes: {
    "package.json": manifest("codes", { main: "codes.json" }),
    "codes.json": '{ "AT": "Australia", "DE": "Germany", "numbers": { "AT": 40, "DE": 277 } }\n',
  },
  unpacked: {
    "package.json": manifest("unpacked", { main: "index.js", types: "types/index.d.ts" }),
    "index.js": "exports.parse = require('./lib/parse').parse;\n",
    "README.md": "parse(text)\n",
  },
};

/** Packages on which the others depend. */
export const OWN_DEPENDENCIES: typeof OWN_PACKAGES = {
  helper: {
    "package.json": manifest("helper", { main: "index.js" }),
    "index.js": "exports.twice = value => value + value;\n",
  },
};

function manifest(name: string, fields: object): string {
  return `${JSON.stringify({ name, version: "2.3.1", ...fields }, null, 2)}\n`;
}
