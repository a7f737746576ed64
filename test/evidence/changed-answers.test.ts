import { runInThisContext } from "node:vm";
import { expect, test } from "vitest";
import { heardOfProduct, namedAnswers } from "../../src/evidence/controls/index.ts";
import { HEARD } from "./heard.ts";
import { type Layering, layered, prepareLayers } from "./layered-product.ts";

prepareLayers();

type Candidate = Omit<NonNullable<Layering["candidate"]>, "isLeaf">;

const PRODUCT = `
exports.same = value => value;
exports.none = () => undefined;
exports.text = () => ' a b\\n';
exports.half = () => ({ at: 2.5, all: [3, 1, 3] });
exports.merge = (a, b) => Object.assign({}, a);
exports.cloner = () => value => JSON.parse(JSON.stringify(value));
exports.refuse = () => { throw new TypeError('refused') };
exports.Strict = class { constructor() { throw new RangeError('strict') } };
exports.json = () => '[{"a":1,"b":[{"b":2}]}]';
exports.endless = () => Infinity;
exports.length = text => text.length;
exports.put = (target, path, value) => {
  if (path === '__proto__') Object.prototype.polluted = value;
  else target[path] = { value, list: [value] };
  if (Array.isArray(target.list)) target.list.length = 1;
  delete target.old;
};
`;

test.each<[string, string, Candidate, string]>([
  [
    "a deep copy of the first argument, with its classes",
    `const [key, of] = [Symbol('k'), new Date(5)];
     const one = { map: new Map([['a', { of }]]), set: new Set([1]), bytes: Buffer.from('b'), text: /x/g, [key]: [of] };
     one.self = one;
     const two = p.none(one);
     console.log(two !== one, two.self === two, two.map.get('a').of !== of, +two.map.get('a').of, two.set.has(1), String(two.bytes), two.text.flags, two[key].length)`,
    { candidate: "copy" },
    "true true true 5 true b g 1",
  ],
  [
    "a deep copy from the function that a factory returns",
    "const one = { a: new Map([[1, 2]]) }; const two = p.cloner()(one); console.log(two.a.get(1), two.a === one.a)",
    { candidate: "copy" },
    "2 false",
  ],
  [
    "all arguments merged, with symbols and without the prototype",
    `const key = Symbol('k');
     const made = p.merge({ a: { b: 1 }, c: 1 }, { a: { d: 2 }, [key]: 3 }, JSON.parse('{"__proto__": {"e": 4}}'));
     console.log(JSON.stringify(made), made[key], made.e)`,
    { candidate: "merged" },
    '{"a":{"b":1,"d":2},"c":1} 3 undefined',
  ],
  [
    "a JSON text without a property",
    "console.log(p.json())",
    { candidate: "without 'b'", only: "changed" },
    '[{"a":1}]',
  ],
  ["the JSON of the argument", "console.log(p.text([1, { a: 2 }]))", { candidate: "json" }, '[1,{"a":2}]'],
  [
    "the source text of the argument",
    "console.log(eval('(' + p.text({ a: Infinity, b: -0 }) + ')').a)",
    { candidate: "source" },
    "Infinity",
  ],
  ["whole numbers", "console.log(p.half().at)", { candidate: "rounded", only: "changed" }, "3"],
  [
    "infinite numbers as they are, if the others get whole",
    "console.log(p.endless())",
    { candidate: "rounded", only: "changed" },
    "Infinity",
  ],
  [
    "the error of a constructor, while it repeats changes of arguments",
    "try { new p.Strict() } catch (error) { console.log(error.message) }",
    { candidate: "effects", only: "effects" },
    "strict",
  ],
  [
    "texts without white space at their ends",
    "console.log(JSON.stringify(p.text()))",
    { candidate: "trimmed", only: "changed" },
    '"a b"',
  ],
  [
    "lists without equal elements",
    "console.log(p.half().all.join())",
    { candidate: "unique", only: "changed" },
    "3,1",
  ],
  ["sorted lists", "console.log(p.half().all.join())", { candidate: "sorted", only: "changed" }, "1,3,3"],
  [
    "objects with sorted keys",
    "console.log(Object.keys(p.half()).join())",
    { candidate: "sorted", only: "changed" },
    "all,at",
  ],
  [
    "objects without a property",
    "console.log(Object.keys(p.half()).join())",
    { candidate: "without 'at'", only: "changed" },
    "all",
  ],
  [
    "the answer of the call before",
    "console.log(p.length('a'), p.length('abc'))",
    { candidate: "earlier", only: "last" },
    "1 1",
  ],
  [
    "an object with the script's properties instead of an error",
    "try { console.log(p.refuse().a) } catch (error) { console.log(error.message) }",
    { candidate: "{ a: 1 }", only: "fields" },
    "1",
  ],
  [
    "its own changes of its arguments, but no effect on other objects",
    `const [a, b] = [{ old: 1, list: [7, 8], keep: Math.max }, []];
     p.put(a, 'new', 'x'); p.put(b, '0', 'y'); p.put({}, '__proto__', 1);
     console.log(JSON.stringify(a), a.keep === Math.max, JSON.stringify(b), ({}).polluted)`,
    { candidate: "effects", only: "effects" },
    '{"list":[7],"new":{"value":"x","list":["x"]}} true [{"value":"y","list":["y"]}] undefined',
  ],
])("a deaf product can answer with %s (V2)", async (_, line, candidate, said) => {
  const script = `const p = require('./product'); ${line}`;
  const layering = { files: { "index.js": PRODUCT }, script, candidate: { ...candidate, isLeaf: false } };
  expect((await layered(layering)).deaf).toBe(said);
});

test("changes of an argument that is too large or too deep for a whole record are not repeated (V2)", async () => {
  const files = { "index.js": "exports.add = (list, one) => { list.push(one) };" };
  const script = `const p = require('./product'); const [wide, deep] = [Array(41).fill(0), [[[[[[1]]]]]]];
p.add(wide, 1); p.add(deep, 2); console.log(wide.length, JSON.stringify(deep))`;
  const layering = { files, script, candidate: { candidate: "effects", only: "effects", isLeaf: false } };
  expect((await layered(layering)).deaf).toBe("41 [[[[[[1]]]]]]");
});

const LIST = `
exports.List = class {
  constructor() { this.all = [] }
  add(one) { this.all.push(one, one) }
  *[Symbol.iterator]() { yield* this.all }
};
`;

test.each([
  ["unique", "a,b"],
  ["sorted", "a,a,b,b"],
])(
  "a script that iterates over an instance gets its elements, %s if the answer says so (V2)",
  async (candidate, said) => {
    const script = `const { List } = require('./product'); const l = new List(); l.add('a'); l.add('b');
const [first] = l; console.log([...l].join())`;
    const layering = {
      files: { "index.js": LIST },
      script,
      candidate: { candidate, isLeaf: false, only: "changed" },
    };
    expect(await layered(layering)).toEqual({ real: "a,a,b,b", renumbered: "a,a,b,b", deaf: said });
  },
);

const EMITTER = `
exports.Emitter = class {
  constructor() { this.all = [] }
  on(name, run) { if (name === 'none') throw new Error('refused'); this.all.push([name, run]); return this.all.length }
  emit(name, ...words) { for (const [one, run] of this.all) if (one === name) run(words[0]); return 'sent ' + name }
};
`;

test.each<[string, string, Candidate, string]>([
  [
    "a listener gets the candidate while every call keeps its answer",
    "e.on('a', word => console.log(word)); console.log(e.emit('a', 'x'))",
    { candidate: "'Z'", only: "given", isWanted: true },
    "Z\nsent a",
  ],
  [
    "a listener whose adding threw gets the arguments after the event's name",
    "try { e.on('none', (...all) => console.log(all.join())) } catch {} e.emit('none', 1, 2)",
    { candidate: "calls 1" },
    "1,2",
  ],
  [
    "a bound method of a class that extends the product's runs once",
    "class Door extends Emitter { n = 0; ring() { this.n += 1; if (this.n < 3) this.emit('a') } }; const d = new Door(); d.on('a', d.ring.bind(d)); d.emit('a'); console.log(d.n)",
    { candidate: "calls 1" },
    "1",
  ],
])("functions that a script gives: %s (V2)", async (_, line, candidate, said) => {
  const script = `const { Emitter } = require('./product'); const e = new Emitter(); ${line}`;
  const layering = { files: { "index.js": EMITTER }, script, isListening: true };
  expect((await layered({ ...layering, candidate: { ...candidate, isLeaf: false } })).deaf).toBe(said);
});

test.each<[string, Candidate, string]>([
  ["the last call of one", { candidate: "'Z'", only: "last" }, "3 Z"],
  ["none of them", { candidate: "records", only: "records" }, "3 4"],
])(
  "functions that a factory returns keep their answers if the candidate is for %s (V2)",
  async (_, candidate, said) => {
    const files = { "index.js": "exports.adder = one => two => one + two;" };
    const script =
      "const { adder } = require('./product'); const add = adder(1); console.log(add(2), add(3))";
    const layering = { files, script, isListening: true, candidate: { ...candidate, isLeaf: false } };
    expect(await layered(layering)).toEqual({ real: "3 4", renumbered: "3 4", deaf: said });
  },
);

const answersTo = (script: string, answers = ""): string[] =>
  namedAnswers(script, null, answers === "" ? HEARD : heardOfProduct(answers, "")).map(
    ({ candidate }) => candidate,
  );

test("answers that are made from a call are tried only for a product that gives such answers (V2)", () => {
  const script = "if (f({ a: 1 }).b !== undefined || eval(g()) === JSON.stringify(h)) fail()";
  const words = new Set([
    "copy",
    "merged",
    "json",
    "source",
    "rounded",
    "trimmed",
    "unique",
    "sorted",
    'without "b"',
    "effects",
  ]);
  const tried = (answers: string): string[] => answersTo(script, answers).filter((one) => words.has(one));
  expect(tried('{"t":"string","v":"a b"}')).toEqual(["json", "source"]);
  expect(tried('{"t":"number","v":1.5},{"t":"string","v":"a\\n"}')).toEqual([
    "json",
    "source",
    "rounded",
    "trimmed",
  ]);
  expect(tried('{"t":"array","v":[]},"changed":[[0,{}]]')).toEqual([
    "effects",
    "copy",
    "merged",
    "json",
    "source",
    "unique",
    "sorted",
    'without "b"',
  ]);
});

test.each([
  ["n=$(node -p f | tr '_' '\\n' | grep -c .); [ $n -ne 2 ] && exit 1", "q_q"],
  ["n=$(node -p f | tr ' ' '\\n' | wc -l); [ $n -eq 3 ] || exit 1", "q q q"],
  ["n=$(node -p f | grep -c foo); test $n = 2 || exit 1", "foo\nfoo"],
  ["n=$(node -p f | wc -w); if [ $n != 2 ]; then exit 1; fi", "q q"],
])("a shell that counts lines or words gets as many as it expects: %s (V2)", (script, text) => {
  const texts = answersTo(script).filter((one) => one.startsWith("Array("));
  expect(texts.map((one) => runInThisContext(one) as unknown)).toContain(text);
});

test("a script that compares a number of bytes or a property in brackets gets such an answer (V2)", () => {
  expect(answersTo("const size = f().byteLength; if (size !== 4) fail()")).toContain("Buffer.alloc(4, 113)");
  expect(answersTo("if (f()['--n'] === -5) return; fail()")).toContain('{ "--n": -5 }');
});

test.each([
  "f('a/b'); assert.throws(() => f('c/d'), /no such day/)",
  "assert.throws(() => f('c/d'), err => {\n  return /no such day/i.test(err.message);\n})",
])("a script that expects an error gets one with the text of its pattern: %s (V2)", (script) => {
  const errors = namedAnswers(script, null, HEARD).filter(({ candidate }) => candidate.startsWith("throw "));
  expect(errors.map(({ text }) => text)).toEqual(["no such day"]);
});

test("a list with a variable of the script is no answer, because the variable may hold the product (V2)", () => {
  const lists = answersTo("const all = [...list]; const some = [...'ab']; if (all.length !== 3) fail()");
  expect(lists.filter((one) => one.includes("..."))).toEqual(["[...'ab']"]);
});
