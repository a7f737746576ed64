import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type TrackedStateJson, trackedStateSchema } from "../../src/tui/index.ts";
import { type BuiltProgram, buildProgram, type RunningProgram } from "../support/batch/program.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { type TrackedSession, trackedSession, withoutRepeats } from "../tui/sessions/tracked-session.ts";

// Many starts of the program a test, on a machine that may be busy.
vi.setConfig({ testTimeout: 90_000 });

let program: BuiltProgram;
beforeAll(async () => {
  program = await buildProgram();
});
afterAll(() => program[Symbol.asyncDispose]());

function track({ home, session }: TrackedSession, ...options: string[]): RunningProgram {
  const args = ["track", session.id, "--agent-tty-home", home.directory, ...options];
  return start(args);
}

function start(args: readonly string[]): RunningProgram {
  return program.start(args, { cwd: "/", env: { PATH: process.env["PATH"] ?? "", HOME: "/nonexistent" } });
}

/** Every line of stdout must be a state. */
function statesIn(stdout: string): TrackedStateJson[] {
  return stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => trackedStateSchema.parse(JSON.parse(line)));
}

function phasesIn(stdout: string): string[] {
  return withoutRepeats(
    statesIn(stdout)
      .filter(({ surface }) => surface.shows !== "other")
      .map(({ surface, turn, last_turn }) => `${surface.shows} ${turn.phase} ${last_turn.result}`),
  );
}

const TURN = [
  "dialog unknown none",
  "composer ready none",
  "composer active none",
  "dialog unknown none",
  "composer active none",
  "composer ready none",
  "composer ready success",
];

test("H1 H3 H11: track follows a Session until its terminal is gone, and tells the same of its recording", async () => {
  await using tracked = await trackedSession();
  const following = track(tracked);
  await new Promise<void>((resolve) => {
    following.stdout.on("data", (text) => String(text).includes("trust this folder") && resolve());
  });
  await tracked.playTurn();
  const settled = await track(tracked, "--until", "success", "--replay");
  expect([settled.exitCode, phasesIn(settled.stdout)]).toEqual([0, TURN]);
  await tracked.session.destroy({ force: true });
  const live = await following;
  expect([live.exitCode, live.stderr]).toEqual([0, `${tracked.session.id}: claude 2.1.197`]);
  expect(phasesIn(live.stdout)).toEqual(TURN);
  expect(statesIn(live.stdout).at(-1)?.diagnostics.availability).toBe("unavailable");
  const replayed = await track(tracked);
  expect([replayed.exitCode, phasesIn(replayed.stdout)]).toEqual([0, TURN]);
  const done = statesIn(replayed.stdout).find(({ last_turn }) => last_turn.result === "success");
  expect(done).toMatchObject({
    detector: { name: "claude_code", version: "2.1.x" },
    observed_version: "2.1.197",
    profile_extrapolated: false,
    last_turn: { source: "explicit_input" },
    evidence: expect.arrayContaining([{ signal: "ending", row: 4, text: "✻ Baked for 1s" }]) as unknown,
  });
});

test("H1 H11: one state, and a wait for one, with the tool that is asked for or none", async () => {
  await using tracked = await trackedSession();
  const once = await track(tracked, "--once");
  expect([once.exitCode, statesIn(once.stdout).map(({ surface }) => surface.dialog?.kind)]).toEqual([
    0,
    ["trust"],
  ]);
  await tracked.playTurn();
  const ready = await track(tracked, "--until", "ready");
  expect([ready.exitCode, statesIn(ready.stdout).at(-1)?.turn.phase]).toEqual([0, "ready"]);
  const other = await track(tracked, "--once", "--tool", "codex", "--tool-version", "0.1.2");
  expect(statesIn(other.stdout)).toMatchObject([
    { detector: { name: "codex_tui" }, observed_version: "0.1.2", turn: { phase: "unknown" } },
  ]);
});

test("a state that does not come about is exit code 1, with what was seen; Ctrl-C is 130, and leaves the Session alone", async () => {
  await using tracked = await trackedSession();
  const { exitCode, stdout, stderr } = await track(tracked, "--until", "active", "--timeout", "2s");
  expect([exitCode, stderr]).toEqual([
    1,
    expect.stringMatching(
      /STATE_NOT_REACHED: .*until active.*available, phase unknown.*shows dialog\n.*❯ No, exit/,
    ),
  ]);
  expect(statesIn(stdout).length).toBeGreaterThan(0);
  const following = track(tracked);
  await new Promise((resolve) => following.stdout.once("data", resolve));
  following.kill("SIGINT");
  expect((await following).exitCode).toBe(130);
  expect(tracked.session.status()).toBe("running");
});

test("track has a help text with examples, refuses what it does not know with 2, and makes no home", async () => {
  const help = await start(["track", "--help"]);
  expect([help.exitCode, help.stdout]).toEqual([
    0,
    expect.stringMatching(/Examples:\n {2}afk-triage track 01/),
  ]);
  for (const wrong of [
    ["track"],
    ["track", "x", "--tool", "vim"],
    ["track", "x", "--until", "done"],
    ["track", "x", "--once", "--until", "ready"],
  ]) {
    const { exitCode, stdout, stderr } = await start(wrong);
    expect([wrong, exitCode, stdout, stderr.split("\n").length]).toEqual([wrong, 2, "", 1]);
  }
  await using directory = await temporaryDirectory();
  const missing = await start(["track", "01J9Z6Q0W3N5Y8T4B2C7D1E6FG", "--home", `${directory.path}/none`]);
  expect([missing.exitCode, missing.stdout]).toEqual([1, ""]);
  expect(missing.stderr).toMatch(/SESSION_NOT_FOUND/);
});
