import { open, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type BuiltProgram, buildProgram } from "../support/batch/program.ts";
import { openProgramStage, type ProgramStage } from "../support/batch/program-stage.ts";
import { dryRunSchema, summarySchema } from "../support/batch/summary-schema.ts";

// The tests start the real program, on a machine that may be busy.
vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 });

let program: BuiltProgram;
beforeAll(async () => {
  program = await buildProgram();
});
afterAll(() => program[Symbol.asyncDispose]());

async function documentOf(stage: ProgramStage, args: readonly string[], env = {}): Promise<unknown> {
  const { stdout } = await stage.run(args, env);
  return JSON.parse(stdout);
}

test("stdout of run is one summary document; stderr is for people; the exit code is that of a failed issue", async () => {
  await using stage = await openProgramStage(program);
  await stage.open("proposing needs-info", "crashing");
  const files = {
    GITHUB_STEP_SUMMARY: join(stage.directory, "s.md"),
    GITHUB_OUTPUT: join(stage.directory, "o"),
  };
  const { stdout, stderr, exitCode } = await stage.start(["run", "--home", "relative"], files);
  expect(exitCode).toBe(3);
  const summary = summarySchema.parse(JSON.parse(stdout));
  expect(summary.totals).toEqual({ applied: 1, skipped: 0, locked: 0, requeued: 0, failed: 1 });
  expect(stderr).toMatch(/octo\/widgets#1 +applied +needs-info/);
  expect(stderr).toContain("TRIAGE_AGENT_FAILED");
  expect(stderr).toContain("what to do: ");
  expect(await stage.read("o")).toBe(`run-id=${summary.runId}\napplied=1\n`);
  expect(await stage.read("s.md")).toMatch(
    /^### Triage Batch .*\n\n\| Issue .*octo\/widgets&#35;1 \| applied \| needs-info.*Last screen of octo\/widgets&#35;2\n.*no credentials/s,
  );
  expect(await stage.processes()).toEqual([]);
});

test("an issue's title is inert in progress, job summary and documents (S10)", async () => {
  await using stage = await openProgramStage(program);
  const title = "crashing \u001b]0;owned\u0007 ##[add-mask]x <b>@maintainer</b> `|`\u202e";
  await stage.open(title);
  const file = join(stage.directory, "s.md");
  const plain = await stage.run(["run"], { GITHUB_STEP_SUMMARY: file });
  // The first issue waits now, like every issue whose Triage Run failed.
  await stage.open(title);
  const json = await stage.run(["run", "--json"]);
  for (const text of [plain.stdout, plain.stderr, json.stdout, json.stderr, await readFile(file, "utf8")]) {
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    expect(text).not.toMatch(/^\s*::|##\[/m);
  }
  expect(json.stderr).toContain(String.raw`#\u0023[add-mask]`);
});

test("with --json every line of stderr is JSON", async () => {
  await using stage = await openProgramStage(program);
  await stage.open("proposing needs-info");
  const { stderr, exitCode } = await stage.start(["run", "--json"], { AFK_TRIAGE_MARKER_KEY: "" });
  expect(exitCode).toBe(0);
  const types = stderr.split("\n").map((line) => (JSON.parse(line) as { type: string }).type);
  const expected =
    "batch-started warning selected phase workspace-created workspace-ready checkout-ready session-opened issue-finished pruned";
  expect(new Set(types)).toEqual(new Set(expected.split(" ")));
});

test("flags take precedence over the environment, the environment over the file, and the file over the defaults", async () => {
  await using stage = await openProgramStage(program);
  const parallelismOf = async (args: readonly string[], env: Record<string, string>): Promise<unknown> => {
    const document = dryRunSchema.parse(await documentOf(stage, ["run", "--dry-run", ...args], env));
    return document.config.batch["parallelism"];
  };
  const environment = { TRIAGE_PARALLELISM: "7" };
  expect(await parallelismOf([], {})).toBe(5);
  await stage.configure({ ...stage.config, parallelism: 6, runDeadline: "9m" });
  expect(await parallelismOf([], {})).toBe(6);
  expect(await parallelismOf([], environment)).toBe(7);
  expect(await parallelismOf(["--parallelism", "8"], environment)).toBe(8);
  const document = dryRunSchema.parse(await documentOf(stage, ["run", "--dry-run"]));
  expect(document.config).toMatchObject({
    home: stage.home,
    provider: "local",
    batch: { runDeadlineMs: 540_000 },
  });
  expect(stage.github.proxy.requests.filter(({ method }) => method !== "GET")).toEqual([]);
});

test("a dry run tells people which settings are not defaults, and what set each", async () => {
  await using stage = await openProgramStage(program);
  await stage.configure({ ...stage.config, cooldown: "2d" });
  const { stderr } = await stage.run(["run", "--dry-run", "--parallelism", "8"]);
  const machine = join(stage.directory, "machine.yml");
  const [, settings = ""] = stderr.split("nothing was written\n");
  expect(settings.split("\n").slice(0, 2)).toEqual(["", "settings that are not defaults:"]);
  const values = settings.split("\n").filter((line) => /^ {2}(?:parallelism|cooldown) /.test(line));
  expect(values.map((line) => line.replace(/^ {2}(\S+) +/, "$1 ")).toSorted()).toEqual([
    `cooldown "2d"  (${machine}:1)`,
    "parallelism 8  (--parallelism)",
  ]);
  expect(new Set(values.map((line) => line.search(/(?<= {2})[^ ]+ {2}\(/))).size).toBe(1);
  expect(settings).not.toContain("runDeadline");
});

test("a dry run needs only GitHub: no Coder, and nothing of a provider", async () => {
  await using stage = await openProgramStage(program);
  await stage.open("honest");
  const document = await documentOf(stage, ["run", "--dry-run", "--provider", "coder"]);
  expect(dryRunSchema.parse(document).issues).toMatchObject([{ status: "skipped", reason: "needs-triage" }]);
});

test("a reader that closes the pipe ends the output, not the work", async () => {
  await using stage = await openProgramStage(program);
  await stage.open("proposing needs-info");
  const running = stage.start(["run"]);
  running.stdout.destroy();
  running.stderr.destroy();
  const { exitCode } = await running;
  expect(exitCode).toBe(0);
  expect(await stage.labels(1)).toEqual(["bug", "needs-info"]);
});

test.each(["stdout", "stderr"] as const)(
  "a full disk under %s ends the output, not the work; only a lost document fails the command (T5)",
  async (stream) => {
    await using stage = await openProgramStage(program);
    await stage.open("proposing needs-info");
    await using full = await open("/dev/full", "w");
    const { exitCode, stdout, stderr } = await stage.start(["run"], {}, { [stream]: full.fd });
    expect(await stage.labels(1)).toEqual(["bug", "needs-info"]);
    if (stream === "stderr") expect([exitCode, JSON.parse(stdout)]).toMatchObject([0, { issues: [{}] }]);
    else
      expect([exitCode, stderr]).toEqual([1, expect.stringMatching(/OUTPUT_LOST: .*ENOSPC.*\nWhat to do: /)]);
  },
);

test("a help text that cannot be written is reported in two lines, without a stack", async () => {
  await using stage = await openProgramStage(program);
  await using full = await open("/dev/full", "w");
  const { exitCode, stderr } = await stage.start(["--help"], {}, { stdout: full.fd });
  expect([exitCode, stderr.split("\n")]).toEqual([
    1,
    [expect.stringContaining("afk-triage: OUTPUT_LOST: "), expect.stringContaining("What to do: ")],
  ]);
});

test("without a marker key the batch works, and warns that its notes are unsigned (S4)", async () => {
  await using stage = await openProgramStage(program);
  await stage.open("proposing needs-info");
  const file = join(stage.directory, "summary.md");
  const environment = { AFK_TRIAGE_MARKER_KEY: "", GITHUB_STEP_SUMMARY: file };
  const { exitCode, stderr } = await stage.run(["run"], environment);
  expect(exitCode).toBe(0);
  expect(stderr).toContain("warning: AFK_TRIAGE_MARKER_KEY is not set");
  const summary = await readFile(file, "utf8");
  expect(summary).toMatch(/> \[!WARNING\]\n> - AFK.*MARKER.*unsigned/);
  expect((await stage.comments(1))[0]).not.toContain(" sig=");
  expect((await stage.run(["run"], environment)).stdout).toContain("needs-info-without-new-activity");
});

test("a job summary that cannot be written causes a warning, and the summary on stdout is complete", async () => {
  await using stage = await openProgramStage(program);
  const { exitCode, stdout, stderr } = await stage.run(["run"], { GITHUB_STEP_SUMMARY: "/dev/null/x" });
  expect(exitCode).toBe(0);
  expect(summarySchema.parse(JSON.parse(stdout)).issues).toEqual([]);
  expect(stderr).toContain("/dev/null/x");
});

test("status, list, show and reap answer after a batch, and for a home that does not exist yet", async () => {
  await using stage = await openProgramStage(program);
  for (const command of ["status", "list"]) {
    expect(await documentOf(stage, [command])).toEqual({ schema: "afk-triage/runs@1", runs: [] });
  }
  await stage.open("proposing needs-info");
  await stage.run(["run"]);
  expect(await documentOf(stage, ["status"])).toMatchObject({ runs: [] });
  const run = { key: "octo/widgets#1", facts: { progress: { phase: "settled" } } };
  expect(await documentOf(stage, ["list"])).toMatchObject({ runs: [run] });
  expect(await documentOf(stage, ["list", "--repo", "octo/other"])).toMatchObject({ runs: [] });
  expect(await documentOf(stage, ["show", "1"])).toMatchObject({ schema: "afk-triage/run@1", run });
  const shown = await stage.run(["show", "1"]);
  expect(JSON.parse(shown.stdout)).toMatchObject({
    evidence: {
      files: expect.arrayContaining([
        { kind: "recording", path: expect.stringMatching(/recording\.cast$/) },
        { kind: "outcome", path: expect.stringMatching(/outcome\.json$/) },
      ]),
      audit: { problem: null, entries: expect.arrayContaining([expect.objectContaining({ seq: 1 })]) },
      reproduction: null,
    },
  });
  const { sessionId } = (JSON.parse(shown.stdout) as { run: { facts: { sessionId: string } } }).run.facts;
  expect(shown.stderr).toMatch(
    new RegExp(`^session: ${sessionId} {2}\\(.*afk-triage(?:\\.js)?'? track ${sessionId}\\)$`, "m"),
  );
  expect(shown.stderr).toMatch(/decided needs-info\n.* publish-comment\n.* add-label needs-info\n/);
  const missing = await stage.run(["show", "2"]);
  expect(missing).toMatchObject({ exitCode: 1, stdout: "" });
  expect(missing.stderr).toContain("afk-triage list");
  const reap = { schema: "afk-triage/reap@1", dryRun: true, reaped: [], kept: [], stranded: [] };
  expect(await documentOf(stage, ["reap", "--dry-run"])).toEqual(reap);
});

test("a config file in the repository is found; an unknown key in it ends the run", async () => {
  await using stage = await openProgramStage(program);
  await writeFile(join(stage.directory, "person/.github/afk-triage.yml"), "provdier: local\n");
  const { exitCode, stderr } = await stage.run(["run"]);
  expect(exitCode).toBe(2);
  expect(stderr).toContain('did you mean "provider"?');
});
