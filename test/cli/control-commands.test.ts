import { join } from "node:path";
import { systemClock } from "agent-tty/kit";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import {
  controlDirectory,
  selectedTriageRun,
  serveControl,
  transition,
  type TriageRunEvent,
} from "../../src/runs/index.ts";
import { openStore } from "../../src/store/index.ts";
import { parentIdentity } from "../../src/workspaces/index.ts";
import { ownerFixture } from "../runs/owner-fixture.ts";
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

const COMMANDS = ["stop", "kill", "send", "watch", "attach", "restore"];
const RUN_ID = "20260101T000000Z";

function placeOf(home: string): { cwd: string; env: Record<string, string> } {
  const env = { PATH: process.env["PATH"] ?? "", HOME: home, AFK_TRIAGE_HOME: join(home, "home") };
  return { cwd: home, env };
}

function run(home: string, args: readonly string[]): Promise<Ended> {
  return runInProcess(args, placeOf(home));
}

/** Creates a home with one run of issue 7, whose batch had this parent. */
async function withRun(
  events: readonly TriageRunEvent[],
  parent: string,
  check: (home: string) => Promise<void>,
): Promise<void> {
  await using directory = await temporaryDirectory();
  const store = await openStore({ path: join(directory.path, "home", "store.sqlite"), clock: systemClock });
  store.recordBatch({ runId: RUN_ID, parent, provider: "local", repos: ["o/r"], startedAtMs: 0 });
  store.saveRun(
    events.reduce(transition, selectedTriageRun({ runId: RUN_ID, repo: "o/r", number: 7, atMs: 1 })),
  );
  store[Symbol.dispose]();
  await check(directory.path);
}

const settled: TriageRunEvent = {
  type: "run-settled",
  atMs: 9,
  end: { status: "skipped", reason: "stopped" },
};

test("every command on a run has a help text with an example, and rejects invalid issue numbers and options with exit code 2", async () => {
  await using directory = await temporaryDirectory();
  for (const command of COMMANDS) {
    const help = await run(directory.path, [command, "--help"]);
    expect([command, help.exitCode]).toEqual([command, 0]);
    expect(help.stdout).toMatch(new RegExp(`Example:\\n {2}afk-triage ${command} 142`));
    const rest = command === "send" ? ["text"] : [];
    for (const wrong of [
      [command],
      [command, "x", ...rest],
      [command, "7", ...rest, "--force"],
      [command, "7", ...rest, "--repo", "nowhere"],
    ]) {
      const { exitCode, stdout, stderr } = await run(directory.path, wrong);
      expect([wrong, exitCode, stdout, stderr.split("\n").length]).toEqual([wrong, 2, "", 1]);
    }
  }
});

test("a run that the home does not have is RUN_NOT_FOUND, and the query creates no home", async () => {
  await using directory = await temporaryDirectory();
  for (const command of COMMANDS) {
    const rest = command === "send" ? ["text"] : [];
    const { exitCode, stdout, stderr } = await run(directory.path, [command, "7", ...rest]);
    expect([command, exitCode, stdout]).toEqual([command, 1, ""]);
    expect(stderr).toMatch(/RUN_NOT_FOUND.*issue 7.*\nWhat to do: See `afk-triage list`/);
  }
});

test("without an active run, stop, kill, watch and attach say so and show the last run; send is refused (C17)", async () => {
  await withRun([settled], await parentIdentity(), async (home) => {
    for (const command of ["stop", "kill", "watch", "attach"]) {
      const { exitCode, stdout, stderr } = await run(home, [command, "7"]);
      expect([command, exitCode]).toEqual([command, 0]);
      expect(stderr).toMatch(
        /^no Triage Run of this issue is running(?:, so nothing was stopped)?; the last one:\n🛑 o\/r#7 {2}stopped .*→ stopped {2}\(Triage Batch 20260101T000000Z\)/,
      );
      expect(JSON.parse(stdout)).toMatchObject({ run: { key: "o/r#7" } });
    }
    const { exitCode, stderr } = await run(home, ["send", "7", "hello"]);
    expect([exitCode, stderr]).toEqual([1, expect.stringMatching(/RUN_NOT_ACTIVE/)]);
  });
});

test("stop ends a run that waits for its turn in a running batch, whether or not the home has an earlier run of the issue (C17)", async () => {
  const parent = await parentIdentity();
  for (const [events, count] of [
    [[settled], 1],
    [[], 0],
  ] as const) {
    await withRun(events, parent, async (home) => {
      const later = "20260102T000000Z";
      const number = count === 0 ? 8 : 7;
      const store = await openStore({ path: join(home, "home", "store.sqlite"), clock: systemClock });
      store.recordBatch({ runId: later, parent, provider: "local", repos: ["o/r"], startedAtMs: 1 });
      store[Symbol.dispose]();
      const { service, clock } = ownerFixture();
      const waiting = selectedTriageRun({ runId: later, repo: "o/r", number, atMs: 1 });
      const owner = service.find(`o/r#${number}`) ?? service.open(waiting).owner;
      const directory = controlDirectory(join(home, "home"), later);
      await using _served = await serveControl(directory, { service, runId: later, parent, clock });
      const { exitCode, stdout, stderr } = await run(home, ["stop", String(number)]);
      expect([count, exitCode, stderr]).toEqual([
        count,
        0,
        `o/r#${number}: it waited in the Triage Batch ${later}, which will not triage it now`,
      ]);
      expect(JSON.parse(stdout)).toMatchObject({ result: "stopping", runId: later, run: null });
      expect(owner.stopSignal.aborted).toBe(true);
    });
  }
});

test("stop of an issue that may wait in two repositories asks for the repository (C17)", async () => {
  const parent = await parentIdentity();
  await withRun([], parent, async (home) => {
    const store = await openStore({ path: join(home, "home", "store.sqlite"), clock: systemClock });
    const repos = ["o/r", "o/s"] as const;
    store.recordBatch({ runId: "20260102T000000Z", parent, provider: "local", repos, startedAtMs: 1 });
    store[Symbol.dispose]();
    const { exitCode, stderr } = await run(home, ["stop", "8"]);
    expect([exitCode, stderr]).toEqual([1, expect.stringMatching(/RUN_NOT_FOUND[^]*with --repo/)]);
  });
});

test("when the parent is proven dead, the error says so, with the last known state and a remedy (C17)", async () => {
  const [host, , ...start] = (await parentIdentity()).split("/");
  const events: TriageRunEvent[] = [
    { type: "phase-entered", phase: "creating", atMs: 2 },
    { type: "workspace-requested", name: "r-triage-7" },
  ];
  await withRun(events, `${host}/4194304/${start.join("/")}`, async (home) => {
    for (const args of [
      ["stop", "7"],
      ["kill", "7"],
      ["attach", "7"],
      ["watch", "7"],
      ["send", "7", "x"],
    ]) {
      const { exitCode, stdout, stderr } = await run(home, args);
      expect([args, exitCode, stdout]).toEqual([args, 1, ""]);
      expect(stderr).toMatch(
        /PARENT_GONE.*proven dead\. Last known: phase creating, Coder workspace r-triage-7 \(creating\)\n.*afk-triage reap/,
      );
    }
  });
});

test("a run that is still active is not restored (O19)", async () => {
  await withRun([], await parentIdentity(), async (home) => {
    const { exitCode, stderr } = await run(home, ["restore", "7"]);
    expect([exitCode, stderr]).toEqual([1, expect.stringMatching(/RUN_NOT_RESTORABLE.*still live/)]);
  });
});

test("watch --for limits the watching, not the run; with --json each read is a JSON line (C17)", async () => {
  await withRun([], await parentIdentity(), async (home) => {
    const args = ["watch", "7", "--every", "50ms", "--for", "800ms", "--json"];
    const { exitCode, stdout, stderr } = await run(home, args);
    expect(exitCode).toBe(0);
    const looks = stderr.split("\n").map((line) => JSON.parse(line) as { type: string });
    expect(looks.length).toBeGreaterThanOrEqual(2);
    expect(looks.every(({ type }) => type === "look")).toBe(true);
    expect(JSON.parse(stdout)).toMatchObject({ run: { facts: { progress: { phase: "selected" } } } });
  });
});

test("send fails with TUI_NOT_READY and the reason when a TUI refuses the text, and with SEND_REFUSED when the Triage Agent takes no input (H39)", async () => {
  const parent = await parentIdentity();
  await withRun([], parent, async (home) => {
    const { service, owner, runner, clock } = ownerFixture();
    const directory = controlDirectory(join(home, "home"), RUN_ID);
    await using _served = await serveControl(directory, { service, runId: RUN_ID, parent, clock });
    // Starts the program itself, so that the text is sent from one process to another.
    const send = async (): Promise<string> =>
      (await program.start(["send", "7", "hello"], placeOf(home))).stderr;
    expect(await send()).toMatch(
      /^afk-triage: SEND_REFUSED: .*nothing was typed, because the Triage Agent takes no input\n/,
    );
    using _runner = owner.attachRunner(runner);
    runner.answer = { type: "refused", reason: "input-not-accepted", remedy: "answer the dialog first" };
    expect(await send()).toBe(
      "afk-triage: TUI_NOT_READY: send to o/r#7: nothing was typed: input-not-accepted\nWhat to do: answer the dialog first",
    );
    expect(runner.sent).toEqual([]);
  });
});
