import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  licenceOf,
  type Lock,
  MANIFEST_FILES,
  readLock,
  readManifest,
  ROOT,
  shippedPackages,
} from "./dependency-tree.ts";

/**
 * Permissive licences, whose notices are included in the packages themselves. A further licence needs a decision before it is
 * added here.
 */
const LICENCES = new Set([
  "0BSD",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "BlueOak-1.0.0",
  "ISC",
  "MIT",
  // argparse, a dependency of graphile-worker (ADR 64), has Python's licence, which is also permissive.
  "Python-2.0",
]);

test("every shipped package has a permitted licence (S20)", () => {
  const shipped = shippedPackages(readLock());
  expect(shipped).toEqual(
    expect.arrayContaining(["node_modules/koffi", "node_modules/zod", "node_modules/@octokit/rest"]),
  );
  expect(shipped).not.toContain("node_modules/vitest");
  expect(shipped.flatMap((path) => licenceProblem(path, licenceOf(path)))).toEqual([]);
});

test.each(["GPL-3.0-only", "MPL-2.0", "SEE LICENSE IN LICENSE", "none", "(MIT AND GPL-2.0)"])(
  "the licence %s is reported (S20)",
  (licence) => expect(licenceProblem("node_modules/x", licence)).toHaveLength(1),
);

function licenceProblem(path: string, licence: string | null): string[] {
  // If a package offers alternative licences, one permitted licence is enough.
  const choices = licence?.replaceAll(/[()]/g, "").split(" OR ") ?? [];
  return licence === null || choices.some((choice) => LICENCES.has(choice))
    ? []
    : [`${path} is under ${licence}`];
}

test("no dependency may run an install script, and every dependency with one is named (S20)", () => {
  const { packages } = readLock();
  const withScript = Object.keys(packages).filter((path) => packages[path]?.hasInstallScript === true);
  const denied = Object.fromEntries(withScript.map((path) => [path.replace(/^.*node_modules\//, ""), false]));
  expect(readManifest("package.json").allowScripts).toEqual(denied);
});

describe("the lock file (S20)", () => {
  test("has a digest of every package, and a registry URL for each", () => {
    expect(lockProblems(readLock())).toEqual([]);
  });

  const GOOD = { version: "1.0.0", integrity: `sha512-${"a".repeat(86)}==` };
  test.each<[string, Lock["packages"][string], string]>([
    ["no digest", { version: "1.0.0" }, "no sha512"],
    ["a weak digest", { ...GOOD, integrity: "sha1-abc" }, "no sha512"],
    ["a repository", { ...GOOD, resolved: "git+ssh://git@github.com/a/b.git#0123" }, "is from git+ssh"],
    ["a file somewhere", { ...GOOD, resolved: "https://example.com/a.tgz" }, "is from https://example.com"],
    ["another registry", { ...GOOD, resolved: "https://registry.npmjs.org.evil/a.tgz" }, "is from"],
  ])("with %s is reported", (_, entry, says) => {
    expect(lockProblems({ packages: { "node_modules/x": GOOD } })).toEqual([]);
    expect(lockProblems({ packages: { "node_modules/x": entry } }).join()).toContain(says);
  });

  function lockProblems({ packages }: Lock): string[] {
    const foreign = Object.entries(packages).filter(
      ([path, { link }]) => path.startsWith("node_modules/") && link !== true,
    );
    const unsealed = foreign.filter(([, { integrity }]) => integrity?.startsWith("sha512-") !== true);
    const elsewhere = foreign.filter(
      ([, { resolved }]) => resolved !== undefined && !resolved.startsWith("https://registry.npmjs.org/"),
    );
    return [
      ...unsealed.map(([path]) => `${path} has no sha512`),
      ...elsewhere.map(([path, { resolved }]) => `${path} is from ${resolved}`),
    ];
  }
});

const OURS = "agent-tty";

test("every direct dependency is from the registry, by version (S20)", () => {
  const ranges = MANIFEST_FILES.flatMap((file) => {
    const { dependencies, devDependencies } = readManifest(file);
    return Object.entries({ ...dependencies, ...devDependencies });
  });
  expect(ranges.filter(([, range]) => !/^[\^~]?\d+\.\d+\.\d+$/.test(range))).toEqual([]);
});

test("ARCHITECTURE.md gives a reason for every direct dependency, and for no removed one (S20)", () => {
  const page = readFileSync(join(ROOT, "ARCHITECTURE.md"), "utf8");
  const section = page.slice(page.indexOf("## Direct dependencies"), page.indexOf("## Decisions"));
  const direct = MANIFEST_FILES.flatMap((file) => {
    const { dependencies, devDependencies } = readManifest(file);
    return Object.keys({ ...dependencies, ...devDependencies });
  }).filter((name) => name !== OURS && !name.startsWith("@types/"));
  expect(direct.filter((name) => !mentions(section, name))).toEqual([]);
  const rows = [...section.matchAll(/^\| (`[^|]*)\|/gm)].flatMap(([, cell = ""]) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name),
  );
  expect(rows.length).toBeGreaterThan(10);
  expect(rows.filter((name) => !direct.includes(name))).toEqual([]);
  expect(mentions(section, "left-pad")).toBe(false);
});

function mentions(text: string, name: string): boolean {
  return new RegExp(`(?<![\\w/-])${name.replaceAll(/[./]/g, "\\$&")}(?![\\w/-])`, "i").test(text);
}
