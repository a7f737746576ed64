import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Command } from "commander";
import { repositories } from "../../src/cli/grammar/index.ts";
import { buildProgram as buildCommands } from "../../src/cli/program.ts";
import { type BuiltProgram, buildProgram } from "../support/batch/program.ts";
import { type Ended, runInProcess } from "../support/cli/run-in-process.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

// The tests start the real program, on a machine that may be busy.
vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 });

let program: BuiltProgram;
beforeAll(async () => {
  program = await buildProgram();
});
afterAll(() => program[Symbol.asyncDispose]());

async function run(args: readonly string[], terminal?: { terminalColumns: number }): Promise<Ended> {
  await using directory = await temporaryDirectory();
  return await runInProcess(args, {
    ...terminal,
    cwd: directory.path,
    env: { PATH: process.env["PATH"] ?? "", HOME: directory.path },
  });
}

test("a repository that is named twice counts once, so eval counts none of its outcomes twice (E5)", () => {
  const named = repositories("o/other", repositories("o/r", []));
  expect(repositories("o/r", named)).toEqual(["o/r", "o/other"]);
});

test("the program ends with 2 and one line on stderr after a usage error, with 2 after a broken config file, and with 0 after help", async () => {
  await using directory = await temporaryDirectory();
  const place = { cwd: directory.path, env: { PATH: process.env["PATH"] ?? "", HOME: directory.path } };
  await writeFile(join(directory.path, "config.yml"), "paralelism: 3");
  for (const [args, exitCode, stdout, stderr] of [
    [["frobnicate"], 2, /^$/, /^error: unknown command 'frobnicate' \(known commands: .*\)$/],
    [["run", "--config", "config.yml"], 2, /^$/, /did you mean "parallelism"[^]*\nWhat to do: /],
    [["run", "--help"], 0, /Examples:\n {2}afk-triage run/, /^$/],
    [["help"], 0, /Start here:/, /^$/],
  ] as const) {
    const ended = await program.start(args, place);
    expect([args, ended.exitCode]).toEqual([args, exitCode]);
    expect(ended.stdout).toMatch(stdout);
    expect(ended.stderr).toMatch(stderr);
  }
});

test("a fleet worker with a home of its own refuses earned autonomy, because trust would be recorded per worker and no veto would reach it (E4, F4)", async () => {
  await using directory = await temporaryDirectory();
  const { path } = directory;
  await writeFile(join(path, "config.yml"), "autonomy:\n  close: earned\n  needs-info: suggest\n");
  const args = ["fleet", "--config", "config.yml", "--home", "home", "--worker-home", "worker", "--json"];
  const place = { cwd: path, env: { PATH: process.env["PATH"] ?? "", HOME: path } };
  const { exitCode, stdout, stderr } = await runInProcess(args, place);
  expect([exitCode, stdout]).toEqual([2, ""]);
  expect(stderr).toContain("CONFIG_INVALID");
  expect(stderr).toContain(join(path, "worker"));
  expect(stderr).toContain("autonomy.close is earned");
  expect(stderr).toMatch(/Set autonomy.close to apply, suggest, shadow or off/);
  expect(existsSync(join(path, "worker"))).toBe(false);
});

/** Returns every command that does something, with the commands above it. */
function leaves(
  command: Command,
  path: readonly string[] = [],
): { path: readonly string[]; command: Command }[] {
  if (command.commands.length === 0) return [{ path, command }];
  return command.commands.flatMap((sub) => leaves(sub, [...path, sub.name()]));
}

const grammar = buildCommands({
  output: () => Promise.reject(new Error("nothing runs")),
  exitWith: () => undefined,
});

test("every command has a help text with an example, and accepts --json", async () => {
  const groups = grammar.commands
    .filter(({ commands }) => commands.length > 0)
    .map((group) => [group.name()]);
  for (const path of [...groups, ...leaves(grammar).map((leaf) => leaf.path)]) {
    const { exitCode, stdout } = await run([...path, "--help"]);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(new RegExp(`Examples?:\\n {2}.*afk-triage ${path.join(" ")}`));
  }
  for (const { command } of leaves(grammar))
    expect(command.options.map(({ long }) => long)).toContain("--json");
});

test("help fits a terminal of 80 columns, except for commands to copy", async () => {
  const wide: string[] = [];
  for (const { path } of [{ path: [] }, ...leaves(grammar)]) {
    const { stdout } = await run([...path, "--help"], { terminalColumns: 80 });
    wide.push(...stdout.split("\n").filter((line) => line.length > 80 && !line.startsWith("  ")));
  }
  expect(wide).toEqual([]);
});

test("help is not cut into letters on a terminal that tells no size (T13)", async () => {
  const { stdout } = await run(["--help"], { terminalColumns: 0 });
  expect(stdout).toContain("Triages GitHub issues while maintainers are away from the keyboard.");
});

test("help fits a narrow terminal, but for commands and words to copy (T13)", async () => {
  const wide: string[] = [];
  for (const { path } of leaves(grammar)) {
    const { stdout } = await run([...path, "--help"], { terminalColumns: 50 });
    const [prose = ""] = stdout.split(/^Examples?:/m);
    wide.push(...prose.split("\n").filter((line) => line.length > 50 && line.trim().includes(" ")));
  }
  expect(wide).toEqual([]);
});

test("with --json a usage error is one JSON line with its code", async () => {
  for (const [args, message] of [
    [
      ["run", "--parallelism", "0", "--json"],
      /^read the command line: option '--parallelism <n>' .*1 to 200/,
    ],
    [["frob", "--json"], /: unknown command 'frob'/],
    [["run", "--jsn", "--json"], /: unknown option '--jsn' \(Did you mean --json\?\)$/],
    [["verify", "--json"], /: expected either the number of an issue or --all/],
    [["release", "--json"], /: /],
  ] as const) {
    const { exitCode, stdout, stderr } = await run(args);
    expect([args, exitCode, stdout]).toEqual([args, 2, ""]);
    expect(JSON.parse(stderr)).toEqual({
      error: {
        code: "USAGE",
        message: expect.stringMatching(message) as string,
        remedy: expect.any(String) as string,
      },
    });
  }
});

test("help follows all words of a command, and names an unknown word", async () => {
  for (const args of [
    ["help", "release", "prep"],
    ["release", "help", "prep"],
  ]) {
    const { exitCode, stdout, stderr } = await run(args);
    expect([exitCode, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/^Usage: afk-triage release prep /);
  }
  const unknown = await run(["help", "release", "prop"]);
  expect([unknown.exitCode, unknown.stderr]).toEqual([2, expect.stringContaining("Did you mean prep?")]);
});

test("help groups every command by task", async () => {
  const { stdout } = await run(["--help"]);
  const headings = [...stdout.matchAll(/^(\S.*):$/gm)].map(([, heading]) => heading);
  expect(headings).toEqual([
    "Options",
    "Start here",
    "Triage",
    "See what happened",
    "Act on one Triage Run",
    "Release",
    "More",
    "Examples",
  ]);
});
