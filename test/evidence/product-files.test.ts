import { describe, expect, test } from "vitest";
import { isUnlayered } from "../../src/evidence/controls/index.ts";
import { productOf } from "../../src/evidence/index.ts";

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

  test("a file without an extension beside files of Node.js may be a program, but a document is not", () => {
    const files = [
      "package.json",
      "node_modules/x/bin/x",
      "node_modules/x/LICENSE",
      "node_modules/x/index.js",
    ];
    const { sources, replaced } = product(files, { dependencies: ["x"] });
    expect(sources).toEqual(["node_modules/x/index.js", "node_modules/x/bin/x"]);
    expect(replaced).toEqual(["node_modules/x/index.js"]);
    expect(product(["lib/a.js", "bin/a", "LICENSE"]).sources).toEqual(["lib/a.js", "bin/a"]);
    expect(product(["a.py", "bin/a"]).sources).toEqual(["a.py"]);
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

  test("programs and objects that the set-up built belong to the product, and dependencies and manifests do not", () => {
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
