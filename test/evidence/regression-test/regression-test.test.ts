import { chmod, mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { execa } from "execa";
import { describe, expect, test } from "vitest";
import { frameworkOf, planTest, type TestFramework } from "../../../src/evidence/regression-test/index.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const SCRIPT = "#!/bin/sh\nif grep -q wrong answer; then echo \"got 'wrong' # \\\\ é\"; exit 3; fi\n";
const CLAIM = { script: SCRIPT, expect: { exitCode: 3, outputContains: "got 'wrong' # \\ é" } };
const SUBJECT = { claim: CLAIM, issueKey: "owner/name#12", number: 12 };

describe("the framework of a repository", () => {
  test.each<[string, string[], object, TestFramework | null]>([
    [
      "node:test when package.json names no other",
      ["package.json"],
      { scripts: { test: "node --test" } },
      "node:test",
    ],
    ["vitest", ["package.json"], { devDependencies: { vitest: "4" } }, "vitest"],
    ["jest", ["package.json"], { scripts: { test: "jest --ci" } }, "jest"],
    ["mocha", ["package.json"], { devDependencies: { mocha: "^11" } }, "mocha"],
    ["pytest", ["pyproject.toml"], {}, "pytest"],
    ["go test", ["go.mod"], {}, "go test"],
    ["cargo test", ["Cargo.toml"], {}, "cargo test"],
    ["JUnit", ["pom.xml"], {}, "JUnit"],
    ["none", ["Makefile"], {}, null],
  ])("it is read from the manifest: %s (V6)", (_, files, manifest, expected) => {
    expect(frameworkOf({ files, packageJson: JSON.stringify(manifest) })).toBe(expected);
  });
});

/** Runs the planned test in a small repository of its own, with the bug, without it, and where the script cannot run. */
async function outcomes(
  framework: TestFramework,
  prepare: (directory: string) => Promise<void>,
): Promise<{ broken: string; fixed: number | undefined; unrunnable: string }> {
  await using directory = await temporaryDirectory();
  const { path, content, command } = planTest(framework, SUBJECT);
  const file = join(directory.path, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, content);
  await writeFile(join(directory.path, "package.json"), '{"private":true}');
  await prepare(directory.path);
  const run = async (answer: string): Promise<{ exitCode: number | undefined; all: string }> => {
    await writeFile(join(directory.path, "answer"), answer);
    const options = {
      cwd: directory.path,
      shell: true,
      reject: false,
      all: true,
    } as const;
    const { exitCode, all } = await execa(command, options);
    return { exitCode, all };
  };
  const broken = await run("wrong");
  const fixed = await run("right");
  await writeFile(file, content.replaceAll("if grep", "exit 9; if grep"));
  const unrunnable = await run("right");
  return {
    broken: `${broken.exitCode === 0 ? "passes" : "fails"}: ${broken.all}`,
    fixed: fixed.exitCode,
    unrunnable: `${unrunnable.exitCode === 0 ? "passes" : "fails"}: ${unrunnable.all}`,
  };
}

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

/** Tools that this machine may not have; their tests are then left out, and the run says so. */
async function has(command: string): Promise<boolean> {
  return (await execa(command, { shell: true, reject: false })).exitCode === 0;
}

describe("the regression test", () => {
  test.each<[TestFramework, string, (directory: string) => Promise<void>]>([
    ["node:test", "node --version", nothing],
    ["vitest", "true", linkModules],
    ["pytest", "python3 -m pytest --version", nothing],
    ["cargo test", "cargo --version", makeCrate],
  ])(
    "%s fails with the bug, passes with the fix, and never passes where the script cannot run (V6)",
    async (framework, tool, prepare) => {
      const isThere = await has(tool);
      const seen = isThere ? await outcomes(framework, prepare) : null;
      expect(seen?.broken ?? "fails: the reported bug shows").toMatch(/^fails:[^]*the reported bug shows/);
      expect(seen?.fixed ?? 0).toBe(0);
      expect(seen?.unrunnable ?? "fails").toMatch(/^fails/);
    },
    60_000,
  );

  test("a claim that names nothing makes no test (V6)", () => {
    const claim = { script: "true", expect: null };
    expect(() => planTest("node:test", { ...SUBJECT, claim })).toThrow("names nothing");
  });
});
