import { expect, test } from "vitest";
import { type Listing, treeChanges } from "../../src/evidence/pipeline/tree-changes.ts";

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
