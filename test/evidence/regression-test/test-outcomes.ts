import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { execa } from "execa";
import { planTest, type TestFramework } from "../../../src/evidence/regression-test/index.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const SCRIPT = "#!/bin/sh\nif grep -q wrong answer; then echo \"got 'wrong' # \\\\ é\"; exit 3; fi\n";
const CLAIM = { script: SCRIPT, expect: { exitCode: 3, outputContains: "got 'wrong' # \\ é" } };
export const SUBJECT = { claim: CLAIM, issueKey: "owner/name#12", number: 12 };

export interface TestOutcomes {
  /** `fails` or `passes`, and the output. */
  broken: string;
  /** Exit code. */
  fixed: number | undefined;
  /** The same as `broken` for a script that cannot run. */
  unrunnable: string;
}

/** Runs the planned test in a small repository of its own, with the bug, without it, and with a script that cannot run. */
export async function outcomes(
  framework: TestFramework,
  prepare: (directory: string) => Promise<void>,
): Promise<TestOutcomes> {
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

/** The results that every framework must have. */
export const PROVEN = { broken: /^fails:[^]*the reported bug shows/, fixed: 0, unrunnable: /^fails/ };

/** Returns whether the tool is on this machine: `command` is a shell command that succeeds if it is. */
export async function has(command: string): Promise<boolean> {
  return (await execa(command, { shell: true, reject: false })).exitCode === 0;
}
