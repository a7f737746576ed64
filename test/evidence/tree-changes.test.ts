import { mkdir, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import { describe, expect, test } from "vitest";
import { compareBuilt, isRebuilt, readSame } from "../../src/evidence/pipeline/built-files.ts";
import { type Listing, treeChanges } from "../../src/evidence/pipeline/tree-changes.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const ROOT = "/place/run";

function listing(paths: readonly string[], content = "1.1.1\n"): Listing {
  return new Map(paths.map((path) => [path, content]));
}

const MANY = Array.from({ length: 1_000 }, (_, index) => `file-${index}`);

test("a file beside the checkout is reported despite a thousand allowed ones (V3)", () => {
  const before = listing(["index.js", "node_modules/dep/index.js"]);
  const after = listing([...before.keys(), ...MANY, "node_modules/dep/new.js", "../state"]);
  const changes = treeChanges(before, after, ROOT);
  expect(changes).toHaveLength(200);
  expect(changes.slice(0, 3)).toEqual([
    { path: "../state", type: "added" },
    { path: "node_modules/dep/new.js", type: "added" },
    { path: "file-0", type: "added" },
  ]);
});

test("a file beside the checkout is reported despite a thousand changes of the product (V3)", () => {
  const before = listing(MANY);
  const after = new Map([...listing(MANY, "2.2.2\n"), ...listing(["../state"])]);
  expect(treeChanges(before, after, ROOT)[0]).toEqual({ path: "../state", type: "added" });
});

test("only a new link under an unused name to a path that the checkout contained is `linked` (V3)", () => {
  const before = listing(["src/index.js", "node_modules/dep/index.js", "node_modules/@scope/one/index.js"]);
  const linkTo = (path: string, target: string): string | undefined =>
    treeChanges(before, new Map([...before, [path, `1.1.1\n${target}`]]), ROOT)[0]?.type;
  expect(linkTo("node_modules/self", "..")).toBe("linked");
  expect(linkTo("node_modules/self", "../src")).toBe("linked");
  expect(linkTo("node_modules/@scope/two", "../../src/index.js")).toBe("linked");
  expect(linkTo("copy", `${ROOT}/src/index.js`)).toBe("linked");
  expect(linkTo("copy", "/etc/passwd")).toBe("added");
  expect(linkTo("copy", "../state")).toBe("added");
  expect(linkTo("copy", "src/missing.js")).toBe("added");
  expect(linkTo("other/node_modules/dep", "../../src")).toBe("added");
  expect(linkTo("other/node_modules/@scope", "../../src")).toBe("added");
  expect(linkTo("node_modules/dep/lib", "../../src")).toBe("added");
});

describe("what the set-up had built may be built again (V3, V10)", () => {
  const facts = {
    tracked: new Set(["src/index.js", "vendor/kept/a.js"]),
    sources: new Set(["src/index.js", "dist/index.js"]),
    isWhole: true,
  };

  test.each<[string, string, boolean, boolean, boolean]>([
    ["a source with the same bytes", "dist/index.js", true, true, true],
    ["a source with other bytes", "dist/index.js", false, true, false],
    ["a source with other bytes, of a changed product", "dist/index.js", false, false, true],
    ["an object", "build/app.o", false, true, true],
    ["a tracked file, even with the same bytes", "src/index.js", true, true, false],
    ["a tracked file of a changed product", "src/index.js", false, false, false],
    ["an installed module, even of a changed product", "node_modules/dep/index.js", false, false, false],
    ["an installed module of Python", ".venv/lib/python3/site-packages/dep/a.py", false, true, false],
    ["a vendored module", "vendor/bundle/dep.rb", false, true, false],
    ["git's state", ".git/HEAD", false, true, false],
    ["a manifest", "dist/package.json", false, true, false],
    ["a file beside the checkout", "../state", false, true, false],
  ])("%s", (_, path, isSame, isWhole, expected) => {
    expect(isRebuilt(path, isSame, { ...facts, isWhole })).toBe(expected);
    if (path === "dist/index.js") return;
    expect(isRebuilt(path, isSame, { ...facts, isWhole, tracked: new Set() })).toBe(false);
  });

  test("a file that may be rebuilt is, whether changed or removed, but not a link that leads elsewhere", () => {
    const before = new Map([
      ["app", "1.1.1\n"],
      ["lib.so", "1.2.1\nlib.so.1"],
      ["gone", "1.3.1\n"],
    ]);
    const after = new Map([
      ["app", "2.4.2\n"],
      ["lib.so", "1.5.2\nlib.so.1"],
    ]);
    const changes = treeChanges(before, after, ROOT, () => true);
    expect(changes.map(({ type }) => type)).toEqual(["rebuilt", "rebuilt", "rebuilt"]);
    const moved = new Map([...before, ["lib.so", "1.5.2\nother"]]);
    expect(treeChanges(before, moved, ROOT, () => true)).toEqual([{ path: "lib.so", type: "modified" }]);
  });

  test("the bytes of files that have changed since the mark are compared with the pristine checkout", async () => {
    await using directory = await temporaryDirectory();
    const { path } = directory;
    const write = async (name: string, text: string): Promise<void> => {
      await mkdir(join(path, name, ".."), { recursive: true });
      await writeFile(join(path, name), text);
    };
    const names = ["dist/same one.js", "dist/other.js", "node_modules/dep/index.js"];
    for (const name of [...names, "app"]) await write(`pristine/${name}`, "built");
    await write("run/app", "built");
    await write("mark", "");
    const since = new Date(Date.now() - 5_000);
    await utimes(join(path, "mark"), since, since);
    for (const name of names) await write(`run/${name}`, name.includes("other") ? "forged" : "built");
    await write("run/added.js", "built");
    const { stdout } = await execa({
      cwd: path,
      stripFinalNewline: false,
    })`bash -c ${compareBuilt("run", join(path, "pristine"), join(path, "mark"))}`;
    expect([...readSame(stdout)].toSorted()).toEqual(["app", "dist/same one.js"]);
    const later = new Date(Date.now() + 60_000);
    await utimes(join(path, "mark"), later, later);
    const none = await execa({
      cwd: path,
    })`bash -c ${compareBuilt("run", join(path, "pristine"), join(path, "mark"))}`;
    expect(readSame(none.stdout).size).toBe(0);
  });
});
