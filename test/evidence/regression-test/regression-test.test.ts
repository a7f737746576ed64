import { chmod, mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  frameworkOf,
  planTest,
  proveTest,
  type TestFramework,
} from "../../../src/evidence/regression-test/index.ts";
import type { ReadyWorkspace } from "../../../src/workspaces/index.ts";
import { has, outcomes, PROVEN, SUBJECT } from "./test-outcomes.ts";

describe("the framework of a repository", () => {
  test.each<[string, string[], object, TestFramework | null]>([
    [
      "node:test if package.json names no other",
      ["package.json"],
      { scripts: { test: "node --test" } },
      "node:test",
    ],
    ["vitest", ["package.json"], { devDependencies: { vitest: "4" } }, "vitest"],
    ["jest", ["package.json"], { scripts: { test: "jest --ci" } }, "jest"],
    ["mocha", ["package.json"], { devDependencies: { mocha: "^11" } }, "mocha"],
    ["ava", ["package.json"], { devDependencies: { ava: "6" } }, "ava"],
    ["tap", ["package.json"], { devDependencies: { tap: "^21" } }, "tap"],
    [
      "node:test if only a reporter is called tap",
      ["package.json"],
      { scripts: { test: "node --test --test-reporter tap" } },
      "node:test",
    ],
    ["pytest", ["pyproject.toml"], {}, "pytest"],
    ["go test", ["go.mod"], {}, "go test"],
    ["cargo test", ["Cargo.toml"], {}, "cargo test"],
    ["JUnit", ["pom.xml"], {}, "JUnit"],
    ["none", ["Makefile"], {}, null],
  ])("the framework is read from the manifest: %s (V6)", (_, files, manifest, expected) => {
    expect(frameworkOf({ files, packageJson: JSON.stringify(manifest) })).toBe(expected);
  });
});

const PATIENCE = { signal: new AbortController().signal, remainingMs: () => 60_000 };
const ROOT = join(import.meta.dirname, "../../..");
const linkModules = async (directory: string): Promise<void> =>
  symlink(join(ROOT, "node_modules"), join(directory, "node_modules"));
const makeCrate = async (directory: string): Promise<void> => {
  await writeFile(
    join(directory, "Cargo.toml"),
    '[package]\nname = "crate-of-ours"\nversion = "0.1.0"\nedition = "2021"\n',
  );
  await mkdir(join(directory, "src"));
  await writeFile(join(directory, "src/lib.rs"), "");
};
const nothing = async (directory: string): Promise<void> => chmod(directory, 0o755);

const tools: readonly (readonly [TestFramework, string, (directory: string) => Promise<void>])[] = [
  ["node:test", "node --version", nothing],
  ["vitest", "true", linkModules],
  ["pytest", "python3 -m pytest --version", nothing],
  ["cargo test", "cargo --version", makeCrate],
];
const there = new Map(await Promise.all(tools.map(async ([name, tool]) => [name, await has(tool)] as const)));

describe("the regression test", () => {
  for (const [framework, , prepare] of tools)
    test.skipIf(there.get(framework) !== true)(
      `${framework} fails with the bug, passes with the fix, and never passes if the script cannot run (V6)`,
      async () => {
        const seen = await outcomes(framework, prepare);
        expect(seen.broken).toMatch(PROVEN.broken);
        expect(seen.fixed).toBe(PROVEN.fixed);
        expect(seen.unrunnable).toMatch(PROVEN.unrunnable);
      },
      60_000,
    );

  test("a script that seems to contain a secret does not become a test, because the masked file would differ from the one that ran (V6, S18)", async () => {
    const claim = { ...SUBJECT.claim, script: "curl 'postgres://app:vJ8kQ2mZx7Lw@db.example.com/x'" };
    const manifest = new TextEncoder().encode('{"scripts":{"test":"node --test"}}\npackage.json\n');
    const asked: string[] = [];
    const exec = (commandLine: string) => {
      asked.push(commandLine);
      return Promise.resolve({ type: "exited", exitCode: 0, stdout: manifest });
    };
    const shell = { workspace: { exec } as unknown as ReadyWorkspace, directory: "/place", ...PATIENCE };
    const request = { ...SUBJECT, claim, bad: "b", fixed: null, setup: [], timeoutMs: 1_000 };
    expect(await proveTest(request, shell)).toMatchObject({
      type: "unproven",
      planned: null,
      reason: expect.stringContaining("secret") as string,
    });
    expect(asked.filter((one) => one.includes("range"))).toEqual([]);
  });

  test("a claim without an exit code and a text cannot become a test (V6)", () => {
    const claim = { script: "true", expect: null };
    expect(() => planTest("node:test", { ...SUBJECT, claim })).toThrow("without an exit code and a text");
  });
});
