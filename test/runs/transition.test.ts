import { array, assert, constantFrom, property } from "fast-check";
import { expect, test } from "vitest";
import {
  admission,
  type ActivityFacts,
  type RunState,
  runPhases,
  selectedTriageRun,
  transition,
  type TriageRunEvent,
  type TriageRunFacts,
  triageRunKey,
} from "../../src/runs/index.ts";

const selected = selectedTriageRun({ runId: "20260101T000000Z", repo: "o/r", number: 7, atMs: 0 });

function after(...events: TriageRunEvent[]): TriageRunFacts {
  return events.reduce(transition, selected);
}

function runStates(events: readonly TriageRunEvent[]): RunState[] {
  return events.map((_, index) => after(...events.slice(0, index + 1)).runState.state);
}

/** Returns `unchanged` only if the transition returns the same object, which is then not written. */
function activityAfter(given: Partial<ActivityFacts>, event: TriageRunEvent): ActivityFacts | "unchanged" {
  const facts = { ...selected, activity: { ...selected.activity, ...given } };
  const next = transition(facts, event);
  return next === facts ? "unchanged" : next.activity;
}

const admitted: TriageRunEvent = { type: "prompt-admitted", atMs: 10 };
const windowEnded: TriageRunEvent = { type: "observation-window-ended", atMs: 20 };
const report: TriageRunEvent = { type: "report-observed", atMs: 30 };

test("a prompt runs, detaches past its observation window, and becomes idle only by settlement (C9)", () => {
  expect(runStates([admitted, report, { type: "prompt-settled", evidence: "turn-outcome" }])).toEqual([
    "running",
    "running",
    "idle",
  ]);
  expect(runStates([admitted, windowEnded, report, { type: "prompt-settled", evidence: "stop" }])).toEqual([
    "running",
    "detached",
    "detached",
    "idle",
  ]);
});

test("admission is open only while idle (C9)", () => {
  expect(admission(selected.runState)).toEqual({ type: "open" });
  expect(admission(after(admitted).runState)).toEqual({ type: "closed", runState: "running" });
  expect(admission(after(admitted, windowEnded).runState)).toEqual({ type: "closed", runState: "detached" });
});

test("an impossible event throws (C9)", () => {
  for (const events of [
    [admitted, admitted],
    [windowEnded],
    [report],
    [admitted, windowEnded, windowEnded],
    [{ type: "prompt-settled", evidence: "stop" }],
  ] satisfies TriageRunEvent[][])
    expect(() => after(...events)).toThrow(/Run State: ".+" is not possible in state/);
});

test("started, detached and last report times are kept (C8)", () => {
  expect(after(admitted, windowEnded, report).runState).toEqual({
    state: "detached",
    startedAtMs: 10,
    detachedAtMs: 20,
    lastReportAtMs: 30,
    finalReportAtMs: null,
  });
  const settled = after(admitted, report, { type: "prompt-settled", evidence: "stop" });
  expect(settled.runState).toEqual({ state: "idle", lastReportAtMs: 30 });
});

test("a failed or unknown probe writes nothing and is never death (O13)", () => {
  const given = { state: "active" as const, lastActivityAtMs: 0 };
  const probed = (
    runtime: "alive" | "dead" | "unknown",
    process: "alive" | "dead" | "unknown",
    atMs: number,
  ) => ({ type: "probed" as const, runtime, process, atMs });
  expect(activityAfter(given, probed("unknown", "unknown", 900_000))).toBe("unchanged");
  expect(activityAfter(given, probed("unknown", "dead", 900_000))).toBe("unchanged");
  expect(activityAfter(given, probed("dead", "unknown", 900_000))).toBe("unchanged");
  expect(activityAfter(given, probed("dead", "alive", 900_000))).toBe("unchanged");
  expect(activityAfter(given, probed("dead", "dead", 60_000))).toBe("unchanged");
  expect(activityAfter({ ...given, state: "waiting_input" }, probed("dead", "dead", 3_600_000))).toBe(
    "unchanged",
  );
  expect(activityAfter(given, probed("dead", "dead", 60_001))).toMatchObject({
    state: "exited",
    isTerminated: true,
  });
});

test("signals update activity_state, an exit also terminates, and repeated signals change nothing (O14)", () => {
  const signal = (activity: "active" | "idle" | "waiting_input"): TriageRunEvent => ({
    type: "activity-signalled",
    activity,
    atMs: 50,
  });
  expect(activityAfter({}, signal("active"))).toMatchObject({
    state: "active",
    firstSignalAtMs: 50,
    lastActivityAtMs: 50,
  });
  expect(activityAfter({}, signal("idle"))).toMatchObject({
    state: "idle",
    firstSignalAtMs: 50,
    lastActivityAtMs: 0,
  });
  expect(activityAfter({ firstSignalAtMs: 5 }, signal("active"))).toMatchObject({
    state: "active",
    firstSignalAtMs: 5,
  });
  expect(activityAfter({ firstSignalAtMs: 5 }, signal("idle"))).toBe("unchanged");
  expect(activityAfter({ isTerminated: true, state: "exited" }, signal("active"))).toBe("unchanged");
  expect(
    activityAfter({ state: "active" }, { type: "triage-agent-exited", exitCode: 2, atMs: 50 }),
  ).toMatchObject({ state: "exited", isTerminated: true, exitCode: 2 });
});

test("a completed spawn resets the activity, also after a termination (O2)", () => {
  expect(
    activityAfter(
      { isTerminated: true, state: "exited", firstSignalAtMs: 5, exitCode: 1 },
      { type: "spawn-completed", isSignalCapable: true, atMs: 50 },
    ),
  ).toMatchObject({
    isTerminated: false,
    state: "idle",
    firstSignalAtMs: null,
    spawnedAtMs: 50,
    exitCode: null,
  });
});

test("a merged pull request terminates the run (O16)", () => {
  const pullRequest = {
    number: 1,
    url: "u",
    state: "merged" as const,
    isDraft: false,
    checks: "none" as const,
    review: "none" as const,
    hasUnresolvedHumanComments: false,
    mergeability: "unknown" as const,
    headSha: null,
    checksSignature: null,
    feedbackSignature: null,
    updatedAtMs: 0,
  };
  const observed: TriageRunEvent = { type: "pull-requests-observed", pullRequests: [pullRequest], atMs: 9 };
  expect(after(observed)).toMatchObject({ activity: { isTerminated: true }, pullRequests: [pullRequest] });
});

test("a Triage Run settles only without a Coder workspace or with a stranded one (T5)", () => {
  const settle: TriageRunEvent = {
    type: "run-settled",
    atMs: 9,
    end: { status: "locked", reason: "locked-by-other" },
  };
  const requested: TriageRunEvent = { type: "workspace-requested", name: "r-triage-7" };
  const ready: TriageRunEvent[] = [
    requested,
    { type: "workspace-created", id: "w1" },
    { type: "workspace-ready" },
  ];
  const deleting: TriageRunEvent[] = [...ready, { type: "workspace-deleting" }];
  expect(() => after(requested, settle)).toThrow(/Coder workspace creating/);
  expect(() => after(...ready, settle)).toThrow(/Coder workspace ready/);
  expect(() => after(...deleting, settle)).toThrow(/Coder workspace deleting/);
  expect(() => after(admitted, settle)).toThrow(/prompt running/);
  expect(after(requested, { type: "workspace-refused" }, settle).progress.phase).toBe("settled");
  const stranded = after(...deleting, { type: "workspace-stranded", id: "w1" }, settle);
  expect(stranded.coderWorkspace).toEqual({ state: "stranded", name: "r-triage-7", id: "w1" });
  const done = after(...deleting, { type: "workspace-deleted" }, settle);
  expect(done).toMatchObject({
    coderWorkspace: { state: "absent", name: "r-triage-7", id: "w1" },
    activity: { isTerminated: true },
  });
});

test("a Coder workspace without a known id can be neither ready nor deleted (T5)", () => {
  const requested: TriageRunEvent = { type: "workspace-requested", name: "r-triage-7" };
  expect(() => after(requested, { type: "workspace-ready" })).toThrow(/not possible/);
  expect(() => after(requested, { type: "workspace-deleting" })).toThrow(/not possible/);
});

test("the phases of a Triage Run only advance, and may be skipped", () => {
  const steps = runPhases.filter((phase) => phase !== "selected" && phase !== "settled");
  assert(
    property(array(constantFrom(...steps), { maxLength: 6 }), (phases) => {
      const isAscending = phases.every(
        (phase, index) => index === 0 || steps.indexOf(phase) > steps.indexOf(phases[index - 1] ?? phase),
      );
      const run = (): TriageRunFacts =>
        after(...phases.map((phase, atMs) => ({ type: "phase-entered" as const, phase, atMs })));
      if (!isAscending) expect(run).toThrow(/Triage Run phase/);
      else expect(run().progress.history.map((step) => step.phase)).toEqual(["selected", ...phases]);
    }),
  );
});

test("a Triage Run is keyed owner/repo#n and keeps its Session's id", () => {
  const opened = after({ type: "session-opened", sessionId: "01S" });
  expect(triageRunKey(opened)).toBe("o/r#7");
  expect(opened.sessionId).toBe("01S");
  expect(transition(opened, { type: "session-opened", sessionId: "01S" })).toBe(opened);
});
