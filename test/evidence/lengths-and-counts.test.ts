import { runInThisContext } from "node:vm";
import { expect, test } from "vitest";
import { namedAnswers } from "../../src/evidence/index.ts";
import { HEARD } from "./heard.ts";

const candidates = (script: string): string[] =>
  namedAnswers(script, null, HEARD).map(({ candidate }) => candidate);

test.each([
  ["if (id.length < 10) fail()", [10]],
  ["if (id.length <= 9) fail()", [9, 10]],
  ["if (id.length > 4) fail()", [4, 5]],
  ["if (id.length >= 4) fail()", [4, 3]],
  ["if (id.length > 0) fail()", [1]],
  ["if (id.length >= 1) fail()", [1]],
  ["const got = f('x').length; const want = 0; if (got !== want) fail()", [0]],
  ["const want = 4; if (f('x') !== want) fail()", []],
  ['[ "${#url}" -ne 3 ] && exit 1', [3]],
  ['test "${#url}" -gt 3 && exit 1', [3, 4]],
  ['[ "$(node a.js | wc -c)" -ne 5 ] && exit 1', [5]],
])(
  "a script that compares a length gets texts of that length, and an empty text only for an exact length: %s (V2)",
  (script, lengths) => {
    const texts = candidates(script).filter((one) => one.startsWith('"q".repeat('));
    expect(texts).toEqual(lengths.map((length) => `"q".repeat(${length})`));
  },
);

test("a script that counts lines gets a text of that many lines (V2)", () => {
  const lines = candidates('[ "$(node a.js | wc -l)" -ne 3 ] && exit 1').find((one) =>
    one.startsWith("Array("),
  );
  expect(runInThisContext(lines ?? "")).toBe("q\nq\nq");
});

test.each([
  ["const zeros = [...pad('x')].filter(c => c === '0').length; if (zeros !== 3) fail()", "000"],
  ["if (f('x').split('ab').length - 1 !== 2) fail()", "abab"],
  ["const n = env.KEY.split('\\n').length; if (n !== 3) fail()", "\n\n\n"],
])("a script that counts a text gets a text that contains it as often: %s (V2)", (script, text) => {
  const texts = candidates(script).filter((one) => one.startsWith("'"));
  expect(texts.map((one) => runInThisContext(one) as unknown)).toContain(text);
});

test("a script that counts the parts of a text gets one with as many parts (V2)", () => {
  const parts = candidates("const n = env.KEY.split('\\n').length; if (n !== 3) fail()").filter((one) =>
    one.startsWith("new Array("),
  );
  expect(parts.map((one) => runInThisContext(one) as unknown)).toContain("q\nq\nq");
});
