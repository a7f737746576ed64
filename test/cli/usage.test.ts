import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type BuiltProgram, buildProgram } from "../support/batch/program.ts";
import { type Ended, runInProcess } from "../support/cli/run-in-process.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

// Starts of the real program, on a machine that may be busy.
vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 });

let program: BuiltProgram;
beforeAll(async () => {
  program = await buildProgram();
});
afterAll(() => program[Symbol.asyncDispose]());

/** No GitHub is there: whoever would ask it fails otherwise than a usage error does. */
async function run(
  args: readonly string[],
  setUp: { env?: Record<string, string>; config?: string } = {},
): Promise<Ended> {
  await using directory = await temporaryDirectory();
  const config = join(directory.path, "config.yml");
  await writeFile(config, setUp.config ?? "");
  return await runInProcess(setUp.config === undefined ? args : [...args, "--config", config], {
    cwd: directory.path,
    env: { PATH: process.env["PATH"] ?? "", HOME: directory.path, ...setUp.env },
  });
}

test("the program itself ends a usage error with 2 and one line on stderr, a broken config file too, and help with 0", async () => {
  await using directory = await temporaryDirectory();
  const place = { cwd: directory.path, env: { PATH: process.env["PATH"] ?? "", HOME: directory.path } };
  await writeFile(join(directory.path, "config.yml"), "paralelism: 3");
  for (const [args, exitCode, stdout, stderr] of [
    [["frobnicate"], 2, /^$/, /^error: unknown command 'frobnicate'$/],
    [["run", "--config", "config.yml"], 2, /^$/, /did you mean "parallelism"[^]*\nWhat to do: /],
    [["run", "--help"], 0, /Examples:\n {2}afk-triage run/, /^$/],
  ] as const) {
    const ended = await program.start(args, place);
    expect([args, ended.exitCode]).toEqual([args, exitCode]);
    expect(ended.stdout).toMatch(stdout);
    expect(ended.stderr).toMatch(stderr);
  }
});

test("a flag, value or command that is none is one line that says what arrived and what was expected: exit 2", async () => {
  const rows: [string, RegExp][] = [
    ["frobnicate", /unknown command 'frobnicate'/],
    ["run --frobnicate", /unknown option '--frobnicate'/],
    ["run extra", /too many arguments/],
    ["run --parallelism 0", /'0' is invalid.*1 to 200/],
    ["run --parallelism 201", /'201' is invalid.*1 to 200/],
    ["run --parallelism 3x", /'3x' is invalid.*1 to 200/],
    ["run --parallelism", /argument missing/],
    ["run --repo nowhere", /'nowhere' is invalid.*owner\/name/],
    ["run --issue -1", /'-1' is invalid.*whole number/],
    ["run --max-issues 0", /'0' is invalid.*at least|from 1/],
    ["run --shard 3/2", /'3\/2' is invalid.*i\/n/],
    ["run --provider docker", /'docker' is invalid.*coder, local/],
    ["run --deadline soon", /'soon' is invalid.*90s, 20m or 7d/],
    ["run --run-deadline 0s", /'0s' is invalid.*90s, 20m or 7d/],
    ["run --budget-usd free", /'free' is invalid.*dollars/],
    ["show", /missing required argument 'n'/],
    ["show x", /'x' is invalid/],
    ["demo --triage-agent me", /'me' is invalid.*scripted, claude-code/],
  ];
  for (const [line, says] of rows) {
    const { exitCode, stdout, stderr } = await run(line.split(" "));
    expect({ line, exitCode, stdout, lines: stderr.split("\n").length }).toEqual({
      line,
      exitCode: 2,
      stdout: "",
      lines: 1,
    });
    expect(stderr).toMatch(says);
  }
});

test("a config file that is broken, or says what nobody knows, is named with the remedy: exit 2", async () => {
  const rows: [string, RegExp][] = [
    ["repos: [a/b\nprovider: local", /config\.yml:2: it is no YAML/],
    ["paralelism: 3", /unknown key "paralelism".*did you mean "parallelism"/],
    ["triageAgent: {comand: [x]}", /unknown key "comand" in triageAgent.*did you mean "command"/],
    ["parallelism: many", /parallelism: .*number/],
    ["runDeadline: 20", /runDeadline: .*string/],
    ["runDeadline: soon", /a duration such as 90s, 20m or 7d, got "soon"/],
    ["- a list", /the file: /],
    ["repos: [nowhere]", /repos\.0: expected owner\/name/],
    ["triageAgent: {kind: command}\nrepos: [a/b]", /triageAgent\.command is missing/],
    ["a: &a [*a, *a]", /no YAML|unknown key/],
  ];
  for (const [config, says] of rows) {
    const { exitCode, stdout, stderr } = await run(["run"], { config });
    expect({ config, exitCode, stdout }).toEqual({ config, exitCode: 2, stdout: "" });
    expect(stderr).toMatch(says);
    expect(stderr).toContain("What to do: ");
  }
});

test("a named config file must exist, the environment must make sense, and some repository must be named: exit 2", async () => {
  const missing = await run(["run", "--config", "nowhere.yml"]);
  expect(missing).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("nowhere.yml") as string });
  const environment: Record<string, string>[] = [
    { GITHUB_API_URL: "api.github.com" },
    { GITHUB_REPOSITORY: "name-only" },
    { TRIAGE_PARALLELISM: "0" },
    { CODER_URL: "coder" },
  ];
  for (const env of environment) {
    const { exitCode, stderr } = await run(["run", "--repo", "a/b"], { env });
    expect(exitCode).toBe(2);
    expect(stderr).toContain(Object.keys(env)[0]);
  }
  const unnamed = await run(["run"]);
  expect(unnamed).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("--repo") as string });
});

test("every command has a help text with an example", async () => {
  for (const command of [
    "run",
    "demo",
    "reap",
    "status",
    "list",
    "show",
    "undo",
    "verify",
    "doctor",
    "init",
    "config",
  ]) {
    const { exitCode, stdout } = await run([command, "--help"]);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(new RegExp(`Examples?:\\n {2}.*afk-triage ${command}`));
  }
});
