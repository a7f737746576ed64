import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Clock, shellQuote, systemClock } from "agent-tty/kit";
import { expect, test } from "vitest";
import {
  activityOf,
  driveTurn,
  type LiveTracker,
  resolveProfile,
  type TuiTurnEnd,
  type TurnTimings,
} from "../../../src/tui/index.ts";
import { type LocalTriage, openLocalTriage } from "../../claude/local-triage.ts";

const IMITATION = join(import.meta.dirname, "imitation-claude.mjs");

/** The limit of a test: five Turns at a time, each with its own shell and program, take tens of seconds on a busy machine. */
const PATIENT = { timeout: 90_000 };

const timings: TurnTimings = {
  rowSettleMs: 100,
  settleMs: 200,
  inputLostAfterMs: 5_000,
  dismissAfterMs: 500,
  personMs: 0,
  unknownDialogAfterMs: 500,
  blockedAfterMs: 20_000,
  askAgainAfterMs: 500,
  remindAfterMs: 700,
  noResultAfterMs: 700,
  confirmMs: 5_000,
  frozenMs: 20_000,
  planAgainMs: 50,
};

interface Options {
  /** The imitation's work waits for this file. */
  goFile?: string;
  timings?: TurnTimings;
  timeoutMs?: number;
  signal?: AbortSignal;
  onTracking?: (tracker: LiveTracker) => void;
}

async function drive(
  scenario: string,
  triage: LocalTriage,
  { goFile, ...options }: Options = {},
): Promise<TuiTurnEnd> {
  const { session, workspace, files } = triage;
  const argv = [
    process.execPath,
    IMITATION,
    scenario,
    files.outcome,
    ...(goFile === undefined ? [] : [goFile]),
  ];
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
    timeoutMs: 80_000,
    signal: new AbortController().signal,
    onTracking: () => undefined,
    clock: systemClock,
    timings,
    ...options,
  });
}

async function check(scenario: string, expected: Partial<TuiTurnEnd>, options: Options = {}): Promise<void> {
  await using triage = await openLocalTriage();
  expect(await drive(scenario, triage, options)).toMatchObject(expected);
}

test.concurrent(
  "a Turn goes from the shell's prompt through trust, prompt, permission and result back to the shell (C4, C14)",
  PATIENT,
  async () => {
    await using triage = await openLocalTriage();
    const activities: (string | null)[] = [];
    const goFile = `${triage.files.outcome}.go`;
    const onTracking = (tracker: LiveTracker): void =>
      void tracker.subscribe((state) => {
        const activity = activityOf(state);
        if (activity === null || activity === activities.at(-1)) return;
        activities.push(activity);
        // The work continues until the test has seen it.
        const seen = activities.filter((one) => one === "active").length;
        if (activity === "active") writeFileSync(`${goFile}.${seen}`, "");
      });
    expect(await drive("whole", triage, { onTracking, goFile })).toEqual({
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
  },
);

test.concurrent("a submit is repeated only when it was lost (H39)", PATIENT, async () => {
  const hurried = { ...timings, confirmMs: 1_000 };
  await check("lost-submit", { type: "exited", exitCode: 0, failure: null }, { timings: hurried });
});

test.concurrent(
  "a TUI that wakes with the prompt taken after it counted as frozen does not get the prompt twice (H39)",
  PATIENT,
  async () => {
    const hurried = { ...timings, confirmMs: 500, frozenMs: 1_000 };
    await check("sleeping", { type: "exited", exitCode: 0, failure: null }, { timings: hurried });
  },
);

test.concurrent("a Turn that failed ends with its error and without a result", PATIENT, async () => {
  await check("failure", { type: "exited", exitCode: 0, failure: "API Error: 500" });
});

test.concurrent("a Turn that settles without its result gets one reminder (C14)", PATIENT, async () => {
  await using triage = await openLocalTriage();
  expect(await drive("no-result", triage)).toEqual({ type: "exited", exitCode: 0, failure: null });
  const output = await triage.session.readOutput({ fromSeq: 1, toSeq: triage.session.lastSeq() }, 1_000_000);
  expect(output).toContain("reminded 1 times");
});

test.concurrent("the reminder's Turn may bring the result (C14)", PATIENT, async () => {
  await check("forgetful", { type: "exited", exitCode: 0, failure: null });
});

test.concurrent(
  "a question without a known answer is dismissed and the Turn continues (H19)",
  PATIENT,
  async () => {
    await check("question", { type: "exited", exitCode: 0, failure: null });
  },
);

test.concurrent("the program's exit ends the Turn, whatever its last screen shows", PATIENT, async () => {
  await check("crash", { type: "exited", exitCode: 7 });
});

test.concurrent("a log-in screen blocks the Turn, with the screen as evidence (C4)", PATIENT, async () => {
  await check("login", {
    type: "blocked",
    visibleText: expect.stringContaining("Select login method") as string,
  });
});

test.concurrent(
  "a dialog of an unknown kind gets no key and ends the Turn with its screen (C4, H19)",
  PATIENT,
  async () => {
    // Either Enter or Esc would make the imitation exit.
    await check("unknown", {
      type: "blocked",
      cause: "unknown-dialog",
      visibleText: expect.stringContaining("A question of a later version") as string,
    });
  },
);

test.concurrent(
  "the time limit leaves the program running and returns the screen (A16)",
  PATIENT,
  async () => {
    const limitMs = 3_600_000;
    let runOut = (): void => undefined;
    const clock: Clock = {
      ...systemClock,
      schedule: (durationMs, action) => {
        if (durationMs !== limitMs) return systemClock.schedule(durationMs, action);
        runOut = action;
        return { [Symbol.dispose]: () => undefined };
      },
    };
    await using triage = await openLocalTriage(clock);
    const driving = drive("endless", triage, { timeoutMs: limitMs });
    await triage.session.wait({ text: "esc to interrupt" }, { callerTimeoutMs: 60_000 });
    runOut();
    const end = await driving;
    expect(end).toMatchObject({
      type: "timed-out",
      visibleText: expect.stringContaining("❯ Read") as string,
    });
    expect(await triage.session.wait({ text: "esc to interrupt" }, { callerTimeoutMs: 0 })).toMatchObject({
      type: "matched",
    });
  },
);

test.concurrent(
  "a stop and the end of the Session are reported as different ends (A16)",
  PATIENT,
  async () => {
    await using triage = await openLocalTriage();
    const stopped = drive("whole", triage, { signal: AbortSignal.abort(new Error("stopped")) });
    await expect(stopped).rejects.toThrow("stopped");

    const ended = drive("whole", triage);
    const trust = await triage.session.wait({ text: "trust this folder" }, { callerTimeoutMs: 60_000 });
    expect(trust).toMatchObject({ type: "matched" });
    await triage.session.destroy({ force: true });
    expect(await ended).toMatchObject({ type: "interrupted" });
  },
);
