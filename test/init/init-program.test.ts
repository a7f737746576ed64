import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { nodePtySpawner } from "agent-tty";
import { systemClock } from "agent-tty/kit";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { parse } from "yaml";
import { poll } from "../support/batch/poll.ts";
import { type BuiltProgram, buildProgram, type RunningProgram } from "../support/batch/program.ts";
import { type EmulatedGithub, startEmulatedGithub } from "../support/github/emulated-github.ts";
import { type Ended, runInProcess } from "../support/cli/run-in-process.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

// The tests start the real program, on a machine that may be busy.
vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 });

let program: BuiltProgram;
let github: EmulatedGithub;
beforeAll(async () => {
  [program, github] = await Promise.all([buildProgram(), startEmulatedGithub()]);
});
afterAll(async () => {
  await github[Symbol.asyncDispose]();
  await program[Symbol.asyncDispose]();
});

type PtyExit = Parameters<Parameters<ReturnType<typeof nodePtySpawner>>[1]["exit"]>[0];

const CONFIG = ".github/afk-triage.yml";
const WORKFLOW = ".github/workflows/triage.yml";

/** Creates an empty checkout. */
async function openCheckout() {
  const directory = await temporaryDirectory();
  await mkdir(join(directory.path, ".git"));
  const at = (path: string): string => join(directory.path, path);
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: directory.path,
    ...program.codeCache,
    AFK_TEST_RUN: process.env["AFK_TEST_RUN"] ?? "",
    GITHUB_API_URL: github.apiUrl,
    GITHUB_TOKEN: github.token,
  };
  const place = { cwd: directory.path, env };
  const start = (...args: string[]): RunningProgram =>
    program.start(["init", "--repo", github.repo, ...args], place);
  /** Runs the same in the test's process, for tests that are not about the process. */
  const run = (...args: string[]): Promise<Ended> =>
    runInProcess(["init", "--repo", github.repo, ...args], place);
  /** Runs it on a terminal, and types `answer` at the question. */
  const answer = async (keys: string): Promise<{ exit: PtyExit; output: string }> => {
    let output = "";
    const { promise: ended, resolve } = deferred<PtyExit>();
    const command = [
      process.execPath,
      join(program.directory, "afk-triage.js"),
      "init",
      "--repo",
      github.repo,
    ];
    const spec = { command: command as [string, ...string[]], cwd: directory.path, env, cols: 200, rows: 50 };
    const listener = { output: (bytes: Buffer) => void (output += bytes.toString("utf8")), exit: resolve };
    const terminal = nodePtySpawner(systemClock)(spec, listener);
    await poll("the question", () => output.includes("[y/N]"));
    await terminal.write(keys);
    return { exit: await ended, output };
  };
  return {
    start,
    run,
    answer,
    read: (path: string) => readFile(at(path), "utf8"),
    write: (path: string, text: string) => writeFile(at(path), text),
    mode: async (path: string) => (await stat(at(path))).mode & 0o777,
    list: async () =>
      (await readdir(directory.path, { recursive: true }))
        .filter((path) => !path.startsWith(".git/"))
        .toSorted(),
    [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose](),
  };
}

function deferred<Value>(): { promise: Promise<Value>; resolve: (value: Value) => void } {
  let resolve: (value: Value) => void = () => undefined;
  const promise = new Promise<Value>((settle) => (resolve = settle));
  return { promise, resolve };
}

const writes = (): number => github.proxy.requests.filter(({ method }) => method !== "GET").length;

test("init shows its plan, asks before acting, is idempotent, and never overwrites a file that differs", async () => {
  await using checkout = await openCheckout();
  await github.labelRegistry.create(
    github.repo,
    { name: "x", color: "000000", description: "" },
    new AbortController().signal,
  );
  const before = writes();

  const shown = await checkout.run("--dry-run");
  expect(shown).toMatchObject({
    exitCode: 0,
    stderr: expect.stringMatching(
      new RegExp(`write      ${CONFIG}[^]*^Nothing was written\\.$`, "m"),
    ) as string,
  });
  const unasked = await checkout.run();
  expect(unasked).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("Add --yes.") as string,
  });
  // The plan is on stdout also with --json, where nothing else shows it.
  for (const { stdout } of [unasked, await checkout.run("--json")])
    expect(JSON.parse(stdout)).toMatchObject({ schema: "afk-triage/init@1", applied: false });
  expect([await checkout.list(), writes()]).toEqual([[".git"], before]);

  const done = await checkout.start("--yes");
  expect(JSON.parse(done.stdout)).toMatchObject({
    schema: "afk-triage/init@1",
    applied: true,
    repo: github.repo,
  });
  expect(await checkout.list()).toEqual([".git", ".github", CONFIG, ".github/workflows", WORKFLOW]);
  expect(await checkout.read(CONFIG)).toContain(`- ${github.repo}`);
  expect(await checkout.mode(CONFIG)).toBe(0o644);

  const again = await checkout.run();
  expect(again).toMatchObject({
    exitCode: 0,
    stderr: expect.stringContaining(`keep       ${CONFIG}`) as string,
  });

  await checkout.write(CONFIG, "parallelism: 3\n");
  const refused = await checkout.run("--yes");
  expect(refused).toMatchObject({ exitCode: 1, stdout: "" });
  expect(refused.stderr).toMatch(/-parallelism: 3[\s\S]*INIT_FILE_DIFFERS[\s\S]*--force/);
  expect(await checkout.read(CONFIG)).toBe("parallelism: 3\n");
  expect((await checkout.run("--yes", "--force")).exitCode).toBe(0);
  expect(await checkout.read(CONFIG)).toContain(`- ${github.repo}`);
});

test("a missing label is created, under the name that the config file sets", async () => {
  await using checkout = await openCheckout();
  expect((await checkout.run("--yes")).exitCode).toBe(0);
  await checkout.write(CONFIG, "labels: {wontfix: declined}\n");
  const { stdout, stderr, exitCode } = await checkout.run("--yes", "--only", "labels");
  expect(exitCode).toBe(0);
  expect(stderr).toMatch(/^next: afk-triage doctor --repo \S+$/m);
  expect(JSON.parse(stdout)).toMatchObject({ files: [] });
  const { labels } = JSON.parse(stdout) as { labels: { name: string; action: string }[] };
  expect(labels.filter(({ action }) => action === "create")).toEqual([
    { name: "declined", action: "create" },
  ]);
  expect(await github.reader.labels(github.repo, new AbortController().signal)).toContain("declined");
  const doctor = await checkout.run("--yes", "--only", "labels");
  expect(JSON.parse(doctor.stdout)).not.toMatchObject({
    labels: expect.arrayContaining([{ name: "declined", action: "create" }]) as unknown,
  });
});

test("renamed labels are the same in the config file and in the workflow, even with --force", async () => {
  await using checkout = await openCheckout();
  await checkout.write("renames.yml", "labels: {needs-triage: 'to triage', wontfix: 'no: \"never\"'}\n");
  const files = ["--yes", "--only", "config", "--only", "workflow"];
  expect((await checkout.run(...files, "--config", "renames.yml")).exitCode).toBe(0);
  expect(await checkout.read(WORKFLOW)).toContain("'to triage'");
  const text = await checkout.read(CONFIG);
  expect((parse(text) as { labels: unknown }).labels).toEqual({
    "needs-triage": "to triage",
    wontfix: 'no: "never"',
  });
  await checkout.write(CONFIG, `${text}parallelism: 3\n`);
  expect((await checkout.run(...files, "--force")).exitCode).toBe(0);
  expect(await checkout.read(CONFIG)).toBe(text);
});

test("on a terminal, init asks: no, Ctrl-D and Ctrl-C do nothing, yes applies the plan", async () => {
  await using checkout = await openCheckout();
  const rows = [
    ["n\r", 0, ""],
    ["\u0004", 0, ""],
    ["\u0003", 130, ""],
    ["y\r", 0, CONFIG],
  ] as const;
  for (const [keys, code, made] of rows) {
    const { exit, output } = await checkout.answer(keys);
    expect({ keys, exit, output }).toMatchObject({ keys, exit: { type: "code", code } });
    expect(output).toContain('+  template: "triage"');
    expect(output).not.toContain('"schema"');
    expect(output.includes("Nothing was written.")).toBe(code === 0 && made === "");
    expect(output.includes("add `issues: write`")).toBe(keys === "y\r");
    expect((await checkout.list()).find((path) => path === CONFIG) ?? "").toBe(made);
  }
});

test("Ctrl-C leaves no half-written file and exits with 130, and the same command then completes the work", async () => {
  await using checkout = await openCheckout();
  await checkout.run("--yes", "--only", "config");
  await checkout.write(CONFIG, "labels: {bug: kind/bug, wontfix: rejected}\n");
  let isAsked = false;
  github.proxy.onRequest = ({ method }) => {
    if (method === "POST") isAsked = true;
    return method === "POST" ? { type: "answer", status: 500 } : null;
  };
  const running = checkout.start("--yes", "--only", "labels", "--only", "workflow");
  await poll("the first label", () => isAsked);
  running.kill("SIGINT");
  expect((await running).exitCode).toBe(130);
  github.proxy.onRequest = () => null;
  expect(
    (await checkout.list()).filter((path) => path.includes("workflow") || path.endsWith(".tmp")),
  ).toEqual([]);
  expect((await checkout.run("--yes", "--only", "labels", "--only", "workflow")).exitCode).toBe(0);
  expect(await checkout.list()).toContain(WORKFLOW);
});

test("init writes the workflow of a scheduled sweep only on request (W5)", async () => {
  await using checkout = await openCheckout();
  const sweep = ".github/workflows/sweep.yml";
  expect((await checkout.run("--dry-run")).stderr).not.toContain(sweep);
  const { exitCode } = await checkout.run("--only", "sweep", "--sweep-cron", "5 4 * * 1", "--yes");
  expect(exitCode).toBe(0);
  expect(await checkout.read(sweep)).toContain('cron: "5 4 * * 1"');
  expect(await checkout.list()).not.toContain(WORKFLOW);
});
