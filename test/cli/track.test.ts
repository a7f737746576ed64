import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type TrackedStateJson, trackedStateSchema } from "../../src/tui/index.ts";
import { type BuiltProgram, buildProgram, type RunningProgram } from "../support/batch/program.ts";
import { poll } from "../support/batch/poll.ts";
import { type Ended, runInProcess } from "../support/cli/run-in-process.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { type TrackedSession, trackedSession, withoutRepeats } from "../tui/sessions/tracked-session.ts";

// Each test starts the program many times, on a machine that may be busy.
vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 });

let program: BuiltProgram;
beforeAll(async () => {
  program = await buildProgram();
});
afterAll(() => program[Symbol.asyncDispose]());

const PLACE = { cwd: "/", env: { PATH: process.env["PATH"] ?? "", HOME: "/nonexistent" } };

function argumentsOf({ home, session }: TrackedSession, options: readonly string[]): string[] {
  return ["track", session.id, "--agent-tty-home", home.directory, ...options];
}

function track(tracked: TrackedSession, ...options: string[]): RunningProgram {
  return program.start(argumentsOf(tracked, options), PLACE);
}

/** Runs the same in the test's process, for tests that are not about the process. */
function trackHere(tracked: TrackedSession, ...options: string[]): Promise<Ended> {
  return runInProcess(argumentsOf(tracked, options), PLACE);
}

/** Parses stdout. Every line must be a state. */
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

/** A program shows its screen only when the machine has time for it. */
const PATIENCE_MS = 60_000;

const TURN = [
  "dialog unknown none",
  "composer ready none",
  "composer active none",
  "dialog unknown none",
  "composer active none",
  "composer ready none",
  "composer ready success",
];

test("track follows a Session until its terminal is gone, and reports the same for its recording (H1, H3, H11)", async () => {
  await using tracked = await trackedSession();
  const following = track(tracked);
  let told = "";
  following.stdout.on("data", (text) => (told += String(text)));
  const whole = (): string => told.slice(0, told.lastIndexOf("\n") + 1);
  const hasTold = async (count: number): Promise<void> => {
    await poll(`${count} phases`, () => phasesIn(whole()).length >= count, PATIENCE_MS);
  };
  // The follower samples the screen, so the test presses no key before it has reported the current screen.
  await tracked.playTurn((screen) => hasTold(screen + 1));
  await hasTold(TURN.length);
  const settled = await trackHere(tracked, "--until", "success", "--replay");
  expect([settled.exitCode, phasesIn(settled.stdout)]).toEqual([0, TURN]);
  await tracked.session.destroy({ force: true });
  const live = await following;
  expect([live.exitCode, live.stderr]).toEqual([0, `${tracked.session.id}: claude 2.1.197`]);
  expect(phasesIn(live.stdout)).toEqual(TURN);
  expect(statesIn(live.stdout).at(-1)?.diagnostics.availability).toBe("unavailable");
  const replayed = await trackHere(tracked);
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

test("track reports one state, or waits for one, with the requested tool or none (H1, H11)", async () => {
  await using tracked = await trackedSession();
  const once = await track(tracked, "--once");
  expect([once.exitCode, statesIn(once.stdout).map(({ surface }) => surface.dialog?.kind)]).toEqual([
    0,
    ["trust"],
  ]);
  await tracked.playTurn();
  const ready = await trackHere(tracked, "--until", "ready");
  expect([ready.exitCode, statesIn(ready.stdout).at(-1)?.turn.phase]).toEqual([0, "ready"]);
  const codex = ["--tool", "codex", "--tool-version", "0.1.2"];
  const other = await trackHere(tracked, "--once", "--replay", ...codex);
  expect(statesIn(other.stdout)).toMatchObject([
    { detector: { name: "codex_tui" }, observed_version: "0.1.2", turn: { phase: "unknown" } },
  ]);
});

test("a state that is not reached leads to exit code 1, with what was seen; Ctrl-C leads to 130, and leaves the Session alone", async () => {
  await using tracked = await trackedSession();
  const waiting = trackHere(tracked, "--until", "active", "--timeout", "3s");
  const following = track(tracked);
  await new Promise((resolve) => following.stdout.once("data", resolve));
  following.kill("SIGINT");
  expect((await following).exitCode).toBe(130);
  expect(tracked.session.status()).toBe("running");
  const { exitCode, stdout, stderr } = await waiting;
  expect([exitCode, stderr]).toEqual([
    1,
    expect.stringMatching(
      /STATE_NOT_REACHED: .*until active.*available, phase unknown.*shows dialog\n.*❯ No, exit/,
    ),
  ]);
  expect(statesIn(stdout).length).toBeGreaterThan(0);
});

test("track has a help text with examples, refuses unknown values with 2, and creates no home", async () => {
  const help = await runInProcess(["track", "--help"], PLACE);
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
    const { exitCode, stdout, stderr } = await runInProcess(wrong, PLACE);
    expect([wrong, exitCode, stdout, stderr.split("\n").length]).toEqual([wrong, 2, "", 1]);
  }
  await using directory = await temporaryDirectory();
  const unknown = ["track", "01J9Z6Q0W3N5Y8T4B2C7D1E6FG", "--home", `${directory.path}/none`];
  const missing = await runInProcess(unknown, PLACE);
  expect([missing.exitCode, missing.stdout]).toEqual([1, ""]);
  expect(missing.stderr).toMatch(/SESSION_NOT_FOUND/);
  const home = join(directory.path, "engine home");
  await mkdir(join(home, "sessions"), { recursive: true, mode: 0o700 });
  const elsewhere = await runInProcess(["track", "nosuch", "--agent-tty-home", home], PLACE);
  expect(elsewhere.exitCode).toBe(1);
  expect(elsewhere.stderr).toMatch(`agent-tty.js --home '${home}' list --all`);
  expect(elsewhere.stderr).toContain("--agent-tty-home");
});
