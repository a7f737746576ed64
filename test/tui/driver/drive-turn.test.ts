import { join } from "node:path";
import { systemClock } from "agent-tty/kit";
import { expect, test } from "vitest";
import {
  activityOf,
  driveTurn,
  type LiveTracker,
  resolveProfile,
  type TuiTurnEnd,
  type TurnTimings,
} from "../../../src/tui/index.ts";
import { shellQuote } from "../../../src/workspaces/index.ts";
import { type LocalTriage, openLocalTriage } from "../../claude/local-triage.ts";

const IMITATION = join(import.meta.dirname, "imitation-claude.mjs");

const timings: TurnTimings = {
  rowSettleMs: 100,
  settleMs: 200,
  inputLostAfterMs: 1_500,
  dismissAfterMs: 500,
  blockedAfterMs: 10_000,
  askAgainAfterMs: 500,
  remindAfterMs: 1_000,
  noResultAfterMs: 2_000,
};

interface Options {
  timeoutMs?: number;
  signal?: AbortSignal;
  onTracking?: (tracker: LiveTracker) => void;
}

async function drive(scenario: string, triage: LocalTriage, options: Options = {}): Promise<TuiTurnEnd> {
  const { session, workspace, files } = triage;
  const argv = [process.execPath, IMITATION, scenario, files.outcome];
  return driveTurn({
    session,
    commandLine: argv.map(shellQuote).join(" "),
    detection: resolveProfile({ tool: "claude", observedVersion: "2.1.197" }),
    texts: { prompt: "Read the prompt file and follow it.", reminder: "The result is missing." },
    farewell: "/exit",
    hasResult: async () => {
      const look = await workspace.exec(`[ -f ${shellQuote(files.outcome)} ]`, { timeoutMs: 10_000 });
      return look.type === "exited" && look.exitCode === 0;
    },
    timeoutMs: 30_000,
    signal: new AbortController().signal,
    onTracking: () => undefined,
    clock: systemClock,
    timings,
    ...options,
  });
}

async function check(scenario: string, expected: Partial<TuiTurnEnd>): Promise<void> {
  await using triage = await openLocalTriage();
  expect(await drive(scenario, triage)).toMatchObject(expected);
}

test.concurrent("C4 C14: a Turn goes from the shell's prompt through trust, prompt, permission and result back to it", async () => {
  await using triage = await openLocalTriage();
  const activities: (string | null)[] = [];
  const onTracking = (tracker: LiveTracker): void =>
    void tracker.subscribe((state) => {
      const activity = activityOf(state);
      if (activity !== null && activity !== activities.at(-1)) activities.push(activity);
    });
  expect(await drive("whole", triage, { onTracking })).toEqual({
    type: "exited",
    exitCode: 0,
    failure: null,
  });
  expect(activities.slice(0, 6)).toEqual([
    "waiting_input",
    "idle",
    "active",
    "waiting_input",
    "active",
    "idle",
  ]);
});

test.concurrent("H39: a submit that was lost is repeated, and only then", async () => {
  await check("lost-submit", { type: "exited", exitCode: 0, failure: null });
});

test.concurrent("a Turn that failed ends with the error and without a result", async () => {
  await check("failure", { type: "exited", exitCode: 0, failure: "API Error: 500" });
});

test.concurrent("C14: a Turn that settles without its result is reminded of it once", async () => {
  await using triage = await openLocalTriage();
  expect(await drive("no-result", triage)).toEqual({ type: "exited", exitCode: 0, failure: null });
  const output = await triage.session.readOutput({ fromSeq: 1, toSeq: triage.session.lastSeq() }, 1_000_000);
  expect(output).toContain("reminded 1 times");
});

test.concurrent("C14: the reminder's Turn may bring the result", async () => {
  await check("forgetful", { type: "exited", exitCode: 0, failure: null });
});

test.concurrent("H19: a question that nobody can answer is dismissed, and the Turn goes on", async () => {
  await check("question", { type: "exited", exitCode: 0, failure: null });
});

test.concurrent("the program's own end is the end, whatever its last screen shows", async () => {
  await check("crash", { type: "exited", exitCode: 7 });
});

test.concurrent("C4: a log-in screen blocks, with the screen as evidence", async () => {
  await check("login", {
    type: "blocked",
    visibleText: expect.stringContaining("Select login method") as string,
  });
});

test.concurrent("A16: the time limit leaves the program running and gives the screen", async () => {
  await using triage = await openLocalTriage();
  const end = await drive("endless", triage, { timeoutMs: 6_000 });
  expect(end).toMatchObject({ type: "timed-out", visibleText: expect.stringContaining("❯ Read") as string });
});

test.concurrent("A16: a stop and the end of the Session are two different ends", async () => {
  await using triage = await openLocalTriage();
  const stopped = drive("whole", triage, { signal: AbortSignal.abort(new Error("stopped")) });
  await expect(stopped).rejects.toThrow("stopped");

  const ended = drive("whole", triage);
  const trust = await triage.session.wait({ text: "trust this folder" }, { callerTimeoutMs: 10_000 });
  expect(trust).toMatchObject({ type: "matched" });
  await triage.session.destroy({ force: true });
  expect(await ended).toMatchObject({ type: "interrupted" });
});
