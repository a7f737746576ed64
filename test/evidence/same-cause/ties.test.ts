import { array, assert, asyncProperty, nat, subarray } from "fast-check";
import { describe, expect, test } from "vitest";
import { printedMessage } from "../../../src/evidence/decide/index.ts";
import { changedLines, readDiff, writePatch } from "../../../src/evidence/same-cause/diff-units.ts";
import { readHeardCalls, sharedWrongCall } from "../../../src/evidence/same-cause/heard-calls.ts";
import { printedError, sharedError } from "../../../src/evidence/same-cause/shared-error.ts";
import { smallestPart } from "../../../src/evidence/same-cause/smallest-part.ts";

const call = (name: string, args: unknown, answer: string | null) => ({
  name,
  args: JSON.stringify(args),
  answer,
});

describe("calls that scripts share", () => {
  test("the same call with the same wrong answer ties two scripts (D5)", () => {
    const bad = [call("parse", ["a"], "1"), call("parse", ["b"], "2")];
    const good = [call("parse", ["a"], "1"), call("parse", ["b"], "3")];
    expect(sharedWrongCall({ bad, good }, { bad: bad.slice(1), good: good.slice(1) })).toBe('parse(["b"])');
  });

  test("a call that returns the same before and after the fix is not a tie (D5)", () => {
    const harmless = call("parse", ["a"], "1");
    const first = { bad: [harmless, call("parse", ["b"], "2")], good: [harmless, call("parse", ["b"], "3")] };
    const second = {
      bad: [harmless, call("parse", ["c"], "2")],
      good: [harmless, call("parse", ["c"], "3")],
    };
    expect(sharedWrongCall(first, second)).toBeNull();
  });

  test("a call that never ends is a wrong answer (D5)", () => {
    const hanging = { bad: [call("parse", ["a"], null)], good: [call("parse", ["a"], "1")] };
    expect(sharedWrongCall(hanging, hanging)).not.toBeNull();
  });

  test("all calls must be the same if no answer changes (D5)", () => {
    const set = call("set", ["a.b"], "1");
    const both = { bad: [set], good: [set] };
    expect(sharedWrongCall(both, both)).not.toBeNull();
    const more = { bad: [set, call("get", [], "1")], good: [set] };
    expect(sharedWrongCall(both, more)).toBeNull();
    expect(sharedWrongCall({ bad: [], good: [] }, { bad: [], good: [] })).toBeNull();
  });

  const shape = (t: string, v?: unknown) => ({ t, ...(v === undefined ? {} : { v }) });
  const wrongFor = (argument: unknown) => ({
    bad: [call("decode", [argument], '{"t":"number","v":6}')],
    good: [call("decode", [argument], '{"t":"number","v":5}')],
  });

  test.each([
    shape("bytes", 3),
    shape("function"),
    shape("regexp"),
    shape("map", 2),
    shape("string", "a".repeat(4_000)),
    shape(
      "array",
      Array.from({ length: 40 }, () => shape("null")),
    ),
    shape("object", { inner: shape("array", [shape("set", 1)]) }),
  ])("arguments that are recorded only in part are not a tie: %j (D5)", (argument) => {
    expect(sharedWrongCall(wrongFor(argument), wrongFor(argument))).toBeNull();
    const harmless = { bad: wrongFor(argument).bad, good: wrongFor(argument).bad };
    expect(sharedWrongCall(harmless, harmless)).toBeNull();
  });

  test("fully recorded arguments are a tie, even if they have a property named t (D5)", () => {
    for (const argument of [shape("string", "a"), shape("object", { t: shape("string", "bytes") })])
      expect(sharedWrongCall(wrongFor(argument), wrongFor(argument))).not.toBeNull();
  });

  test("an answer that contains functions does not tie two scripts if no answer changes (D5)", () => {
    const made = (answer: unknown) => {
      const only = call("create", [], JSON.stringify(answer));
      return { bad: [only], good: [only] };
    };
    const closures = made(shape("object", { trim: shape("function"), repeat: shape("function") }));
    expect(sharedWrongCall(closures, closures)).toBeNull();
    const instance = made(shape("thing", {}));
    expect(sharedWrongCall(instance, instance)).toBeNull();
    const plain = made(shape("object", { size: shape("number", 1) }));
    expect(sharedWrongCall(plain, plain)).not.toBeNull();
  });

  test("the layer's notes are read as calls, and the script's own lines are skipped (D5)", () => {
    const text =
      '{"asked":"i.f#1","last":"i.f","args":[1]}\nnoise\n{"key":"i.f#1","last":"i.f","shape":{"t":"null"}}\n';
    expect(readHeardCalls(text)).toEqual([{ name: "i.f", args: "[1]", answer: '{"t":"null"}' }]);
  });
});

describe("errors that scripts share", () => {
  const thrown = (message: string, at: string): string =>
    `/x/index.js:3\n\n${message}\n    at read (/run/lib/${at}:3:9)\n    at Object.<anonymous> (/run/repro.cjs:1:1)\n`;

  test("one error from one function of the product ties two scripts (D5)", () => {
    const error = "TypeError: Cannot read properties of undefined (reading 'x1')";
    const [first, second] = ["/a", "/b"].map((root) =>
      printedError(thrown(error, "parse.js").replaceAll("/run", root), ["lib/parse.js"]),
    );
    expect(sharedError(first ?? null, second ?? null)).toContain("in read");
  });

  test("an assertion of the script, or an error from elsewhere, is not a tie (D5)", () => {
    expect(
      printedError(thrown("AssertionError [ERR_ASSERTION]: 1 == 2", "parse.js"), ["lib/parse.js"]),
    ).toBeNull();
    expect(printedError(thrown("TypeError: x", "parse.js"), ["lib/other.js"])).toBeNull();
  });

  // A progress bar prints carriage returns, each of which begins a line for a regular expression.
  test.each(["\r", "\r\n", " ", "\t\n"])("an output of %j alone is read in linear time (S11)", (blank) => {
    const output = blank.repeat(200_000);
    expect(printedMessage(output)).toBeNull();
    expect(printedMessage(`${output}TypeError: x`)).toBe("TypeError: x");
  });
});

describe("parts of a change", () => {
  const diff = [
    "diff --git a/a.js b/a.js",
    "index 1..2 100644",
    "--- a/a.js",
    "+++ b/a.js",
    "@@ -2 +2 @@",
    "-two",
    "+TWO",
    "@@ -4,0 +5,2 @@",
    "+new",
    "+newer",
    "@@ -9,2 +11,0 @@",
    "-nine",
    "-ten",
    "diff --git a/b.bin b/b.bin",
    "new file mode 100644",
    "index 0..3",
    "--- /dev/null",
    "+++ b/b.bin",
    "@@ -0,0 +1 @@",
    "+b",
    "",
  ].join("\n");

  test("a diff is divided into hunks and files, and a patch of a part has the right line numbers (D5)", () => {
    const units = readDiff(diff);
    expect(units.map(({ file, hunk }) => [file, hunk === null])).toEqual([
      ["a.js", false],
      ["a.js", false],
      ["a.js", false],
      ["b.bin", true],
    ]);
    const some = writePatch(units.slice(1, 3));
    expect(some).toContain("@@ -4,0 +5,2 @@");
    expect(some).toContain("@@ -9,2 +10,0 @@");
    expect(changedLines(units.slice(0, 1))).toBe(2);
  });

  test("the smallest part contains exactly the needed pieces, whatever they are (D5)", async () => {
    await assert(
      asyncProperty(subarray(Array.from({ length: 12 }, (_, index) => index)), async (needed) => {
        const all = Array.from({ length: 12 }, (_, index) => index);
        const found = await smallestPart(all, async (some) => needed.every((one) => some.includes(one)));
        if (needed.length > 0) expect(found).toEqual(needed);
        else expect(found).toHaveLength(1);
      }),
      { numRuns: 50 },
    );
  });

  test("no part is found if the parts could not be tested often enough (D5)", async () => {
    await assert(
      asyncProperty(array(nat(), { minLength: 2, maxLength: 8 }), async (parts) => {
        expect(await smallestPart(parts, async () => null)).toBeNull();
      }),
      { numRuns: 5 },
    );
  });
});
