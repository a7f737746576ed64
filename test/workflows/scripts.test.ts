import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import { describe, expect, test } from "vitest";
import { ROOT, stepsOf, WORKFLOW_FILES } from "./workflow-files.ts";

const STEPS = WORKFLOW_FILES.flatMap((file) =>
  stepsOf(file).flatMap(({ where, step }) =>
    step.run === undefined ? [] : [{ where: `${file.path}, ${where}`, text: step.run }],
  ),
);

test("bash can parse every step (S19)", async () => {
  expect(STEPS.length).toBeGreaterThan(20);
  for (const { where, text } of STEPS) expect([where, await complaint(text)]).toEqual([where, ""]);
  expect(await complaint("if true; then")).toContain("syntax error");
});

test("every npm script and every command of ours that a step names exists", async () => {
  const { scripts } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8")) as { scripts: object };
  const named = namesIn(/npm run (?:--silent )?([\w:-]+)/g);
  expect(named).toEqual(expect.arrayContaining(["audit", "build", "test:package", "release:publish"]));
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining(named));
  const commands = namesIn(/dist\/afk-triage\.js ([a-z]+ [a-z]+)/g);
  expect(commands.toSorted()).toEqual(["release finalize", "release notes", "release prep"]);
});

function namesIn(pattern: RegExp): string[] {
  return [...new Set(STEPS.flatMap(({ text }) => [...text.matchAll(pattern)].map(([, name = ""]) => name)))];
}

const ACTION = join(ROOT, ".github", "actions", "triage");

describe.each(readdirSync(ACTION).filter((name) => name.endsWith(".sh")))("%s", (name) => {
  test("stops at the first failure, even in a pipe, and at an unset variable (S19)", async () => {
    const { stdout } = await execa("sed", ["-n", "/^set /p", join(ACTION, name)]);
    expect(stdout).toBe("set -euo pipefail");
    await execa("bash", ["-n", join(ACTION, name)]);
  });
});

async function complaint(script: string): Promise<string> {
  return (await execa("bash", ["-n"], { input: script, reject: false })).stderr;
}
