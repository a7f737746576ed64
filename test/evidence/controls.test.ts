import { runInThisContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { namedAnswers } from "../../src/evidence/index.ts";
import { HEARD } from "./heard.ts";

describe("the answers that a script names (V2)", () => {
  const candidates = (script: string, claimed: string | null = null, output = ""): string[] =>
    namedAnswers(script, claimed, { ...HEARD, output }).map(({ candidate }) => candidate);

  test("literals that the script compares with come first, and the identity is included", () => {
    expect(
      candidates("const x = f('in'); const want = { a: [1] }; if (x !== 'out') fail()").slice(0, 2),
    ).toEqual(["{ a: [1] }", "'out'"]);
    expect(candidates("f(1)")).toContain("identity");
  });

  test.each([
    ["{ ours: '', theirs: 'evil.com' }", "'evil.com'"],
    ["a=1,2 should be a=1&a=2", '"a=1&a=2"'],
    ["got 4, expected 3", "3"],
    ["AssertionError: expected -33 to equal -39", "-39"],
    ["expected 'a b' to deeply equal 'a c'", "'a c'"],
    ["1c1\n< ffff01\n---\n> -ff", '"ffff01"'],
    ["--- want\n+++ got\n@@ -1,3 +1,2 @@\n a\n-b c\n-d\n+e", '"a\\nb c\\nd"'],
  ])("a script that prints %s names the answer %s", (output, answer) => {
    expect(candidates("if (f() !== g()) fail()", null, output)).toContain(answer);
  });

  test.each([
    ["for (const [given, wanted] of [['a', 'A']]) if (f(given) !== wanted) process.exit(1)", 2],
    ["if (f('a') !== 'A') process.exit(1)", 0],
  ])(
    "a script that may end at its first case gets the datum beside the arguments of each case: %s",
    (script, count) => {
      const found = namedAnswers(script, null, HEARD).filter(({ only }) => only === "beside");
      expect(found).toHaveLength(count);
    },
  );

  test.each(["strictEqual", "deepStrictEqual", "toStrictEqual"])(
    "the list that a script passes to %s is an expected answer",
    (name) => {
      const answers = namedAnswers(`check.${name}(f("in"), [4, 5])`, null, HEARD);
      expect(answers.find(({ candidate }) => candidate === "[4, 5]")?.isWanted).toBe(true);
    },
  );

  test("a script with a table of cases whose answers are objects gets the datum beside the arguments inside these objects", () => {
    const heard = { ...HEARD, hasSeveralCalls: true, hasInnerValues: true };
    const answers = namedAnswers("for (const [given, want] of [['a', 1]]) is(f(given).x, want)", null, heard);
    const found = answers.filter(({ only, isLeaf }) => only === "beside" && isLeaf);
    expect(found.map(({ data }) => data?.slice(0, 2))).toEqual([["'a'", "1"]]);
  });

  test("a list inside an expected text is an expected answer", () => {
    const answers = namedAnswers(
      `const want = '1:[{"a":0}]'; if (n + ':' + JSON.stringify(f(9)) !== want) fail()`,
      null,
      HEARD,
    );
    expect(answers.find(({ candidate }) => candidate === '[{"a":0}]')?.isWanted).toBe(true);
  });

  test.each([
    ["deepStrictEqual({ base: made('in').base }, { base: 'out' })", "{ base: 'out' }"],
    [
      "const { strictEqual } = require('assert'); strictEqual(f('in some long text of a script'), null)",
      "null",
    ],
  ])("the value that a strict assertion compares with is expected: %s", (script, answer) => {
    const found = namedAnswers(script, null, HEARD).find(({ candidate }) => candidate === answer);
    expect(found?.isWanted).toBe(true);
  });
  test.each(["f().length >= 0 || fail()", "if (f().size !== 0) fail()"])(
    "the number with which a script compares a length is not an expected answer: %s",
    (script) => {
      const answers = namedAnswers(script, null, HEARD).filter(({ candidate }) => candidate === "0");
      expect(answers.map(({ isWanted }) => isWanted)).toEqual([false]);
    },
  );

  test("a pattern of grep without a letter or a digit is not an answer", () => {
    expect(candidates("f | grep -q '^.$' || exit 1")).not.toContain('"."');
  });

  test("module names and the claim text are not used as answers", () => {
    const found = candidates("const m = require('product'); console.log('it broke: 1')", "it broke");
    expect(found).not.toContain("'product'");
    expect(found).not.toContain("'it broke: 1'");
  });

  test("a script that expects an error gets an error as an answer", () => {
    expect(candidates("assert.throws(() => f(1))")).toContain("throw Error");
    expect(candidates("assert.throws(() => f(1), TypeError)")).toContain("throw TypeError");
    expect(candidates("f(1)").join()).not.toContain("throw");
  });

  test("a script that expects an error from its last call, or from a function in an answer, gets an error only there", () => {
    const script = "new Cache(5); assert.throws(() => new Cache(-1))";
    const answers = namedAnswers(script, null, { ...HEARD, hasSeveralCalls: true, hasInnerValues: true });
    const errors = answers.filter(({ candidate }) => candidate === "throw Error");
    expect(errors.map(({ only, isLeaf }) => [only, isLeaf])).toEqual([
      [undefined, false],
      ["unnamed", false],
      ["last", false],
      [undefined, true],
    ]);
  });

  test("a script that expects errors gets them from the calls whose answers it does not name", () => {
    const script = "equal(f('a'), 'A'); try { f(';'); fail() } catch {}";
    const answers = namedAnswers(script, null, { ...HEARD, hasSeveralCalls: true });
    const errors = answers.filter(({ candidate, only }) => candidate === "throw Error" && only === "unnamed");
    expect(errors.map(({ data }) => data?.includes("'A'"))).toEqual([true]);
  });

  test("a script of several calls gets the lists that it expects before their elements", () => {
    const script = `equal(f(1), ["a", "b"]); equal(f(2), ["a", "c"])`;
    const answers = namedAnswers(script, null, { ...HEARD, hasSeveralCalls: true });
    const unnamed = answers.filter(({ only }) => only === "unnamed").map(({ candidate }) => candidate);
    expect(unnamed.slice(0, 2)).toEqual(['["a", "b"]', '["a", "c"]']);
  });

  test.each([
    ["deepEqual(Object.values(f()[0]), ['a', 'b'])", ["inside ['a', 'b']", "innermost ['a', 'b']"]],
    ["const n = Object.keys(f().rows).length; if (n !== 3) fail()", ["sized 3"]],
    ["if (f().rows !== 3) fail()", []],
    [
      "assert.deepEqual(f(), { a: [1], b: { c: 'x' } })",
      ["inside { a: [1], b: { c: 'x' } }", "innermost { a: [1], b: { c: 'x' } }", `fields { "c": 'x' }`],
    ],
  ])("a script that checks a part of an answer gets its answer in that part: %s", (script, expected) => {
    const answers = namedAnswers(script, null, { ...HEARD, hasInnerValues: true });
    const parts = answers.filter(({ only, isLeaf }) => only !== undefined && only !== "records" && !isLeaf);
    expect(parts.map(({ only, candidate }) => `${only} ${candidate}`)).toEqual(expected);
  });

  test("a script about promises gets the product's answers one after the other", () => {
    expect(
      namedAnswers("await f()", null, { ...HEARD, isPromising: true }).some(({ only }) => only === "turns"),
    ).toBe(true);
  });

  test.each([
    [`if (f().length !== 3) fail()`, 'new Array(3).fill("q")'],
    [`[ "$(f | codePointAt)" = "1f602 41" ] || exit 1`, '"😂A"'],
    [`if (f().codePointAt(0) !== 0x1f602) fail()`, '"😂"'],
    [`if (!(f() instanceof Map)) fail()`, "new Map()"],
    [`if (f().size !== 0) fail()`, '{ "size": 0 }'],
    [`assert.equal(f(), 'ab'.repeat(40))`, "'ab'.repeat(40)"],
    [`assert.equal(f(), 10n)`, "10n"],
    [`assert.equal(f(), new Date(0))`, "new Date(0)"],
    [`assert(near(f(), .5))`, ".5"],
    [`assert.equal(f().name, "foo")`, '{ "name": "foo" }'],
    [`assert.match(f(), /^a (''|"")$/)`, `"a ''"`],
    [String.raw`if (!/v\d+(?:\.[a-c]{2})*$/i.test(f())) fail()`, '"v1.aa"'],
    [`cat > want <<END\na b\nc\nEND`.replaceAll(String.raw`\n`, "\n"), '"c"'],
    [`assert.deepEqual(f(), Buffer.from('ab'))`, "Buffer.from('ab')"],
    [`[ "$got" != hello ] || exit 0`, '"hello"'],
    [`test "$got" = 8.0.0.1`, '"8.0.0.1"'],
    [`if ! test "$got" != hello; then exit 0; fi`, '"hello"'],
    [`case "$got" in 8.0.0.1|9) exit 0;; *) exit 1;; esac`, '"8.0.0.1"'],
    [`assert.deepEqual(f(), { [Symbol.for("k")]: [1] })`, '{ [Symbol.for("k")]: [1] }'],
    [`want='[{"start":0}]'; [ "$got" = "$want" ]`, '[{"start":0}]'],
    [String.raw`if (JSON.stringify(f()) !== "{\"a\":1}") fail()`, '{"a":1}'],
    [`[ "$got" = 'a b' ] || exit 1`, '"a b"'],
    [`if [ "8.0" != "$got" ]; then exit 1; fi`, '"8.0"'],
    [`expected=п_привет; [ "$got" = "$expected" ] || exit 1`, '"п_привет"'],
    [`IN=a WANT=1024 node check.js`, '"1024"'],
    [`echo a b > want.txt; diff want.txt out.txt`, '"a b"'],
    [`diff <(echo 'a b; c') <(node -p "f()")`, "'a b; c'"],
    [`diff <(node -p "f()") <(echo a b)`, '"a b"'],
    [String.raw`printf 'a\nb c\n' | sort > want; comm -3 got want`, '"b c"'],
    ["const cells = (f().match(/<td/g) || []).length; process.exit(cells === 2 ? 0 : 1)", '"<td<td"'],
    [String.raw`printf 'a\nb\n' > expected; diff expected out`, String.raw`'a\nb'`],
    [
      "const want = 'x y'; const p = f(); if (p.a !== '1' || p.b !== want || p.c !== other) fail()",
      `{ "a": '1', "b": 'x y' }`,
    ],
    [`echo '__init__' > expected.txt; diff expected.txt out.txt`, "'__init__'"],
    [String.raw`f | grep -qx "^1\.5kB$" || exit 1`, '"1.5kB"'],
    [`f | grep -q '^amount 4$' || exit 1`, '{ "amount": 4 }'],
    [`f | grep -q '"type": "space"' || exit 1`, '{ "type": "space" }'],
    [`cat > want <<END\na\nb\nEND`.replaceAll(String.raw`\n`, "\n"), '"a\\nb"'],
  ])("%s names the answer %s", (script, answer) => {
    expect(candidates(script)).toContain(answer);
  });

  test("for a product that fails while it loads, the answer `loads` comes first and `manifest` last", () => {
    const unloaded = namedAnswers("f(1)", null, { ...HEARD, hasLoaded: false });
    expect([unloaded.at(0)?.candidate, unloaded.at(-1)?.candidate]).toEqual(["loads", "manifest"]);
    expect(candidates("f(1)")).not.toContain("loads");
    expect(candidates("f(1)").slice(-2)).toEqual(["records", "manifest"]);
  });

  test("the script's functions get the elements of its lists, but not of an empty list", () => {
    const script =
      "const seen = []; const want = [1, 2]; each(want, (one) => seen.push(one)); if (seen.length) fail()";
    const answers = namedAnswers(script, null, { ...HEARD, isGivenFunctions: true });
    const spread = answers.filter(({ spread }) => spread !== undefined);
    expect(spread.map((one) => [one.spread, one.candidate])).toEqual([
      ["elements", "[1, 2]"],
      ["arguments", "[1, 2]"],
      ["calls", "[1, 2]"],
    ]);
  });

  test.each([
    ["one call", false, []],
    ["several calls", true, "after before alike other earlier 'A' 'a' 'A' 'a' 'A' 'a' given".split(" ")],
  ])(
    "a script that makes %s gets answers for only some of the calls if it makes several",
    (_, hasSeveralCalls, expected) => {
      const answers = namedAnswers("[['a', 'A'], ['b', 'B']]; assert.equal(upper('a'), 'A')", null, {
        ...HEARD,
        hasSeveralCalls,
      }).filter(({ only }) => only !== undefined && only !== "records");
      expect(answers.map(({ candidate }) => candidate)).toEqual(expected);
      if (hasSeveralCalls)
        expect(answers[0]?.data).toEqual(["'a'", "'A'", "['b', 'B']", "'b'", "'B'", "'a'", "'A'"]);
    },
  );

  test.each([
    ["if (r.a !== 1 || r.b !== 'x') fail()", ['{ "a": 1, "b": \'x\' }']],
    ["assert.equal(r.a, 1); assert.equal(r.b, 2)", ['{ "a": 1, "b": 2 }']],
    ["expect(r[0]).toBe('x'); expect(r.b).toBe(2)", ['{ "0": \'x\', "b": 2 }']],
    ["if (r.a !== 1) fail()", []],
  ])("a script that compares several properties gets an answer with all of them: %s", (script, expected) => {
    expect(candidates(script).filter((one) => /^\{ ".*, "/.test(one))).toEqual(expected);
  });

  test("the properties of an expected object that a script builds from parts of an answer are answers", () => {
    const script = "assert.deepEqual({ base: f().base, bits: 1 }, { base: 'x', bits: 24 })";
    const answers = namedAnswers(script, null, { ...HEARD, hasInstances: true });
    const found = answers.filter(({ only }) => only === "fields").map(({ candidate }) => candidate);
    expect(found).toContain(`{ "base": 'x', "bits": 24 }`);
  });

  test("a document of expected text is an answer even if it looks like code, with and without its final line end", () => {
    const written = (file: string): string =>
      `cat > ${file} <<'END'\nconst a = 1;\nEND\nnode -e 'if (f() !== fs.readFileSync("${file}", "utf8")) fail()'`;
    const texts = ['"const a = 1;"', '"const a = 1;\\n"'];
    expect(candidates(written("expected.txt"))).toEqual(expect.arrayContaining(texts));
    expect(candidates(written("run.js"))).not.toContain(texts[0]);
    const whole = `cat > a.txt <<'END'\na\nEND\nnode -e 'fs.writeFileSync("b.txt", f())'; cmp a.txt b.txt`;
    expect(candidates(whole)).toContain('"a\\n"');
  });

  test.each([
    [
      "await assert.rejects(f('a', { max: 3 }), { code: 'E_MAX', rest: 'ab' })",
      { code: "E_MAX", rest: "ab" },
    ],
    ["try { f() } catch (e) { if (e.code === 'E_A') process.exit(0); fail(e.message) }", { code: "E_A" }],
    ["f().catch(err => { if (!err.rest) throw err; })", { rest: "q" }],
    ["try { f() } catch (error) { fail(error.message) }", null],
  ])("a script that reads the properties of an error gets one that has them: %s", (script, expected) => {
    const fields = namedAnswers(script, null, HEARD).find((one) => one.fields !== undefined)?.fields;
    const value: unknown = fields === undefined ? null : runInThisContext(`(${fields})`);
    expect(value).toEqual(expected === null ? null : expect.objectContaining(expected));
  });

  test("a script whose calls threw gets the errors that it names, also AbortError, for these calls only", () => {
    const script = "await f(); await assert.rejects(g(), { name: 'AbortError' })";
    const answers = namedAnswers(script, null, { ...HEARD, hasSeveralCalls: true, isThrowing: true });
    const threw = answers.filter(({ only }) => only === "threw").map(({ candidate }) => candidate);
    expect(threw).toEqual(["throw Error", "throw AbortError"]);
  });

  test("a script about booleans gets one boolean for all of its calls", () => {
    const heard = { ...HEARD, hasSeveralCalls: true, isAnsweringBooleans: true };
    const answers = namedAnswers("if (!f(1) || !f(2)) fail()", null, heard);
    const found = answers.filter(({ only }) => only === "booleans").map(({ candidate }) => candidate);
    expect(found).toEqual(["true", "false", "usual"]);
  });

  test("the number of answers is limited", () => {
    const many = Array.from({ length: 500 }, (_, index) => `x === ${index}`).join(";");
    expect(
      namedAnswers(many, null, { ...HEARD, hasInnerValues: true, hasLoaded: false, hasSeveralCalls: true })
        .length,
    ).toBeLessThanOrEqual(37);
  });

  test("code is never read as a literal", () => {
    expect(
      candidates("const want = [process.exit(0)]; const other = { get a() { return 1 } }").join(),
    ).not.toMatch(/process|return/);
  });
});
