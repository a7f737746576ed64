import { describe, expect, test } from "vitest";
import { isUnlayered } from "../../src/evidence/controls/index.ts";
import { namedAnswers, productOf } from "../../src/evidence/index.ts";

function product(files: readonly string[], change: { untracked?: string[]; dependencies?: string[] } = {}) {
  const { untracked = [], dependencies = [] } = change;
  return productOf({ files: [...files, ...untracked], tracked: new Set(files), dependencies });
}

describe("the product's files (V2)", () => {
  test("source files belong to the product; tests, documents and configuration do not", () => {
    const files = [
      "src/a.ts",
      "lib/b.py",
      "test/a.test.ts",
      "docs/x.js",
      "vitest.config.ts",
      "README.md",
      "LICENSE",
      "yarn.lock",
      "package.json",
    ];
    expect(product(files)).toEqual({
      files: ["src/a.ts", "lib/b.py"],
      replaced: ["src/a.ts", "lib/b.py"],
      built: [],
      sources: ["src/a.ts", "lib/b.py"],
      manifests: ["package.json"],
    });
  });

  test("files that the set-up has built belong to the product", () => {
    expect(product(["src/a.ts"], { untracked: ["dist/a.js"] }).sources).toEqual(["src/a.ts", "dist/a.js"]);
  });

  test.each([
    ["a program without an extension", ["bin/rbenv", "install.sh"]],
    ["an unknown language", ["R/fit.R", "src/solve.jl", "Module.psm1"]],
    ["style sheets that a script builds", ["scss/_grid.scss", "build/build.js"]],
    ["a package of type declarations", ["index.d.ts"]],
    ["a folder called test inside the product", ["django/test/client.py", "django/db/models.py"]],
    [
      "a folder called spec inside a package's source",
      ["packages/a/package.json", "packages/a/src/spec/x.ts"],
    ],
    ["a package called spec", ["packages/spec/package.json", "packages/spec/src/x.ts"]],
    ["Java's package test", ["web/pom.xml", "web/src/main/java/org/test/Client.java"]],
  ])("%s is the product", (_, files) => {
    const { files: found, replaced } = product(["package.json", "README", ...files]);
    const expected = files.filter((file) => !/(?:package\.json|pom\.xml)$/.test(file));
    expect([found, replaced]).toEqual([expected, expected]);
  });

  test.each([
    [
      "below a package's root",
      ["packages/a/package.json", "packages/a/test/helper.js", "packages/a/docs/x.py"],
    ],
    ["beside Maven sources", ["web/pom.xml", "web/src/test/java/org/ClientIT.java"]],
    ["beside files with names of tests", ["pkg/tests/test_a.py", "pkg/tests/helper.py"]],
  ])("tests and documents %s are not the product", (_, files) => {
    expect(product(["src/a.ts", ...files]).files).toEqual(["src/a.ts"]);
  });

  test("the control absent removes data files, and the control broken keeps them", () => {
    const { files, replaced } = product(["src/a.ts", "data/zones.json", "logo.png"]);
    expect(files).toEqual(["src/a.ts", "data/zones.json", "logo.png"]);
    expect(replaced).toEqual(["src/a.ts"]);
  });

  test("programs and objects that the set-up built go with the product, and dependencies and manifests do not", () => {
    const untracked = [
      "app",
      "build/app.o",
      "build/Makefile",
      ".venv/bin/python",
      "node_modules/x/addon.node",
    ];
    expect(product(["src/app.c", "package.json"], { untracked }).built).toEqual(["app", "build/app.o"]);
    expect(productOf({ files: ["app"], tracked: new Set(), dependencies: [] }).built).toEqual([]);
  });

  test("data is the product of a package that contains nothing else", () => {
    const { replaced, sources } = product(["package.json", "db.json", "names.txt"]);
    expect([replaced, sources]).toEqual([["db.json", "names.txt"], ["db.json"]]);
  });

  test.each(["LICENSE-MIT", "LICENSE-APACHE-2.0", "CODEOWNERS", "VERSION", "Pipfile"])(
    "data is the product of a package that has nothing else but %s",
    (about) => {
      expect(product(["package.json", "db.json", about]).replaced).toEqual(["db.json"]);
    },
  );

  test("data about licences is data of the product", () => {
    const { replaced } = product(["package.json", "license-list.json", "licenses.json", "LICENSE"]);
    expect(replaced).toEqual(["license-list.json", "licenses.json"]);
  });

  test("installed modules do not count if the checkout has source of its own", () => {
    const files = product(["src/a.ts"], {
      untracked: ["node_modules/x/index.js"],
      dependencies: ["x"],
    }).files;
    expect(files).toEqual(["src/a.ts"]);
  });

  test("tracked modules are the product if the checkout tracks exactly the modules of its manifest", () => {
    const files = [
      "package.json",
      "node_modules/x/index.js",
      "node_modules/x/package.json",
      "node_modules/y/index.js",
    ];
    expect(product(files, { dependencies: ["x"] })).toEqual({
      files: ["node_modules/x/index.js", "node_modules/x/package.json"],
      replaced: ["node_modules/x/index.js"],
      built: [],
      sources: ["node_modules/x/index.js"],
      manifests: ["node_modules/x/package.json"],
    });
  });
});

test.each<[string, string[], string, boolean]>([
  ["most files of a language without an adapter, and no layer is loaded", ["a.c", "b.c", "gen.py"], "", true],
  ["the same, and a layer is loaded", ["a.c", "b.c", "gen.py"], '{"key":"loaded"}', false],
  ["the same, and a layer is started as a program", ["a.c", "b.c", "gen.py"], '{"key":"program"}', false],
  ["as many files with an adapter", ["index.js", "install.sh"], "", false],
  ["JavaScript alone", ["index.js"], "", false],
  ["data alone", ["db.json"], "", false],
])(
  "a product has no deaf form only if the layers do not concern the script: %s (V2)",
  (_, files, answers, expected) => {
    expect(isUnlayered(files, answers)).toBe(expected);
  },
);

const HEARD = {
  hasInnerValues: false,
  isPromising: false,
  hasLoaded: true,
  isGivenFunctions: false,
  isGivingErrors: false,
  output: "",
  hasSeveralCalls: false,
};

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
  ])("a script that prints %s names the answer %s", (output, answer) => {
    expect(candidates("if (f() !== g()) fail()", null, output)).toContain(answer);
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

  test("a script that expects an error of its last call, or of what an answer holds, gets one there alone", () => {
    const script = "new Cache(5); assert.throws(() => new Cache(-1))";
    const answers = namedAnswers(script, null, { ...HEARD, hasSeveralCalls: true, hasInnerValues: true });
    const errors = answers.filter(({ candidate }) => candidate === "throw Error");
    expect(errors.map(({ only, isLeaf }) => [only, isLeaf])).toEqual([
      [undefined, false],
      ["last", false],
      [undefined, true],
    ]);
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
    const parts = answers.filter(({ only }) => only !== undefined);
    expect(parts.map(({ only, candidate }) => `${only} ${candidate}`)).toEqual(expected);
  });

  test("a script about promises gets the product's answers one after the other", () => {
    expect(
      namedAnswers("await f()", null, { ...HEARD, isPromising: true }).some(({ only }) => only === "turns"),
    ).toBe(true);
  });

  test("shell quotes around quotes of the script are removed", () => {
    expect(candidates("node -e 'f() === '\\''out'\\'''")).toContain("'out'");
  });

  // The cost of a match must not explode with the length of the text: the parent reads the script of an untrusted agent.
  test.each(["a0", " ", "\n", "[ ", "[ a", "equal(", "'", "/"])(
    "the answers of a script of 32,000 characters that repeats %j are found (S11)",
    (fragment) => {
      const script = `codePointAt length "${fragment.repeat(32_000 / fragment.length)}!`;
      expect(candidates(script)).toContain("identity");
    },
  );

  test("a program in double quotes is read as a program", () => {
    const script = `node -e "require('assert').equal(require('product').f('in'), 'out')"`;
    expect(candidates(script)).toContain("'out'");
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
    [`[ "$got" != hello ] || exit 0`, '"hello"'],
    [`test "$got" = 8.0.0.1`, '"8.0.0.1"'],
    [`if ! test "$got" != hello; then exit 0; fi`, '"hello"'],
    [`case "$got" in 8.0.0.1|9) exit 0;; *) exit 1;; esac`, '"8.0.0.1"'],
    [`assert.deepEqual(f(), { [Symbol.for("k")]: [1] })`, '{ [Symbol.for("k")]: [1] }'],
    [`cat > want <<END\na\nb\nEND`.replaceAll(String.raw`\n`, "\n"), '"a\\nb"'],
  ])("%s names the answer %s", (script, answer) => {
    expect(candidates(script)).toContain(answer);
  });

  test("for a product that fails while it loads, the answer `loads` comes first and `manifest` last", () => {
    const unloaded = namedAnswers("f(1)", null, { ...HEARD, hasLoaded: false });
    expect([unloaded.at(0)?.candidate, unloaded.at(-1)?.candidate]).toEqual(["loads", "manifest"]);
    expect(candidates("f(1)")).not.toContain("loads");
  });

  test("the script's functions get the elements of its lists, but not of an empty list", () => {
    const script =
      "const seen = []; const want = [1, 2]; each(want, (one) => seen.push(one)); if (seen.length) fail()";
    const answers = namedAnswers(script, null, { ...HEARD, isGivenFunctions: true });
    const spread = answers.filter(({ isSpread }) => isSpread === true);
    expect(spread.map(({ candidate }) => candidate)).toEqual(["[1, 2]"]);
  });

  test.each([
    ["one call", false, []],
    ["several calls", true, "after before other 'a' 'A' 'a' 'A' 'a' 'A'".split(" ")],
  ])(
    "a script that makes %s gets answers for some of them alone as it needs them",
    (_, hasSeveralCalls, expected) => {
      const answers = namedAnswers("[['a', 'A'], ['b', 'B']]; assert.equal(upper('a'), 'A')", null, {
        ...HEARD,
        hasSeveralCalls,
      }).filter(({ only }) => only !== undefined);
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

  test.each([
    [
      "a shell",
      'for pair in a=A 10.0=8.0; do test "$(up "$pair")" = B || echo no; done',
      '"a" "A" "10.0" "8.0" "$pair" B',
    ],
    ["Python", "for one in ['a', 'b']:\n    assert f(one) == 'c'", "'a' 'b' 'c'"],
  ])("the words of a loop of %s are data in the order of the text", (_, script, expected) => {
    const answers = namedAnswers(script, null, { ...HEARD, hasSeveralCalls: true });
    const data = answers.find(({ only }) => only === "beside")?.data;
    expect(data?.slice(0, 4)).toEqual(expected.split(" ").slice(0, 4));
  });

  test("the number of answers is limited", () => {
    const many = Array.from({ length: 500 }, (_, index) => `x === ${index}`).join(";");
    expect(
      namedAnswers(many, null, { ...HEARD, hasInnerValues: true, hasLoaded: false, hasSeveralCalls: true })
        .length,
    ).toBeLessThan(32);
  });

  test("code is never read as a literal", () => {
    expect(
      candidates("const want = [process.exit(0)]; const other = { get a() { return 1 } }").join(),
    ).not.toMatch(/process|return/);
  });
});
