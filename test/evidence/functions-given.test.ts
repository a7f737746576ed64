import { expect, test } from "vitest";
import { heardOfProduct, namedAnswers } from "../../src/evidence/controls/index.ts";
import { HEARD } from "./heard.ts";
import { layered, notedAnswers, prepareLayers } from "./layered-product.ts";

prepareLayers();

/** A factory of emitters: names match in any case, `off` does nothing, and only the first listener is called. */
const EMITTER = `module.exports = () => {
  const all = [];
  return {
    on: (name, run) => { if (name === 'none') throw new Error('refused'); all.push({ name, run }); },
    off: () => {},
    emit: (name, word) => { for (const one of all.slice(0, 1)) if (one.name === name.toLowerCase()) one.run(word); },
  };
};
`;
const files = { "index.js": EMITTER };

test.each([
  ["no listener", "let n = 0; e.on('a', () => n++); e.emit('A'); console.log(n)", "1", "calls 0", "0"],
  [
    "each listener once, also those that the real product did not call",
    "const l = []; e.on('a', () => l.push(1)); e.on('a', () => l.push(2)); e.emit('a'); console.log(l.join())",
    "1",
    "calls 1",
    "1,2",
  ],
  [
    "a listener that was added and taken off as one",
    "let n = 0; const f = () => n++; e.on('b', f); e.off('b', f); e.emit('a'); console.log(n)",
    "0",
    "calls 1",
    "1",
  ],
  [
    "the function that settles a promise",
    "new Promise(done => e.on('a', done)).then(() => console.log('settled')); e.emit('a')",
    "settled",
    "other",
    "settled",
  ],
  [
    "a bound function",
    "let n = 0; const add = function (word) { n += word.length }; e.on('a', add.bind(null)); e.emit('a', 'ab'); console.log(n)",
    "2",
    "'abc'",
    "3",
  ],
  [
    "a listener whose adding threw",
    "let n = 0; try { e.on('none', () => n++); e.emit('none') } catch {} console.log(n)",
    "0",
    "calls 1",
    "1",
  ],
])(
  "the deaf object of a factory calls %s if the answer says so (V2)",
  async (_, line, real, candidate, deaf) => {
    const script = `const e = require('./product')(); ${line}`;
    const seen = await layered({
      files,
      script,
      isListening: true,
      candidate: { candidate, isLeaf: false },
    });
    expect(seen).toEqual({ real, renumbered: real, deaf });
  },
);

test.each([
  ["the elements of a list as arguments", "['a', 1]", "a,1"],
  ["the elements of each list in a list as arguments", "[['a', 1], ['b', 2]]", "a,1\nb,2"],
])("a deaf product calls the script's functions with %s (V2)", async (_, list, deaf) => {
  const candidate = { candidate: list, isLeaf: false, spread: "arguments" };
  const script = `const e = require('./product')(); e.on('a', (...all) => console.log(all.join())); e.emit('a', 1)`;
  const seen = await layered({ files, script, isListening: true, candidate });
  expect(seen).toEqual({ real: "1", renumbered: "1", deaf });
});

test("a deaf product gives the recorded calls one element each, and calls the last function again with the rest (V2)", async () => {
  const product = { "index.js": "exports.each = (...all) => all.forEach(one => one(0))" };
  const candidate = { candidate: "[1, 2, 3]", isLeaf: false, spread: "calls" };
  const script = `const l = []; require('./product').each(n => l.push('a' + n), n => l.push('b' + n)); console.log(l.join())`;
  const seen = await layered({ files: product, script, isListening: true, candidate });
  expect(seen).toEqual({ real: "a0,b0", renumbered: "a0,b0", deaf: "a1,b2,b3" });
});

test.each([
  ["counts its calls", "n++", true],
  ["changes a list", "l.push(1); l.sort()", true],
  ["prints", "console.log(1)", false],
  ["writes to an output", "process.stderr.write('1')", false],
  ["prints later", "setTimeout(() => console.log(1), 1)", false],
  ["ends the program", "process.exit(0)", false],
  ["sets the exit code", "process.exitCode = 0", false],
  ["throws", "throw new Error('1')", false],
  ["writes a file", "fs.writeFileSync('note', '1')", false],
  ["starts a program", "require('child_process').execFileSync('true')", false],
  ["resolves a promise that the script awaits", "resolve()", false],
])(
  "the listening run notes whether a listener that %s has an effect on more than values (V2)",
  async (_, line, isRunningPure) => {
    const script = `const fs = require('fs'); let n = 0; const l = []; let resolve; new Promise(done => { resolve = done });
const e = require('./product')(); e.on('a', () => { ${line} }); try { e.emit('a') } catch {}`;
    const answers = await notedAnswers({ files, script, isListening: true });
    expect(heardOfProduct(answers, "")).toMatchObject({ isGivenFunctions: true, isRunningPure });
  },
);

test.each([
  [
    "expects no call, and its functions have no other effect",
    "const want = 0; if (n !== want) fail()",
    true,
    true,
  ],
  ["expects no call, but prints in a function", "const want = 0; if (n !== want) fail()", false, false],
  ["expects calls", "const want = 2; if (n !== want) fail()", true, false],
  ["expects nothing of its functions", "let n = 0; if (called) fail()", true, false],
])(
  "a product that calls no function is an answer for a script only if it expects that and judges outside them: one that %s (V2)",
  (_, script, isRunningPure, isOffered) => {
    const answers = namedAnswers(script, null, { ...HEARD, isGivenFunctions: true, isRunningPure });
    const candidates = new Set(answers.map(({ candidate }) => candidate));
    expect([candidates.has("calls 0"), candidates.has("calls 1")]).toEqual([isOffered, true]);
  },
);
