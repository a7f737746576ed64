import { expect, test } from "vitest";
import {
  deriveHandleState,
  type Indicator,
  indicator,
  selectedTriageRun,
  transition,
  type TriageRunEvent,
} from "../../src/runs/index.ts";

function stateAfter(events: readonly TriageRunEvent[], nowMs: number) {
  const selected = selectedTriageRun({ runId: "20260101T000000Z", repo: "o/r", number: 1, atMs: 0 });
  return deriveHandleState(events.reduce(transition, selected), nowMs);
}

function check(events: readonly TriageRunEvent[], nowMs: number, symbol: Indicator["symbol"]): void {
  expect(indicator(stateAfter(events, nowMs))).toEqual({ symbol, isPulsing: symbol === "🟡" });
}

const spawned: TriageRunEvent = { type: "spawn-completed", isSignalCapable: true, atMs: 0 };

test("each state of the AgentHandle has its indicator (L9)", () => {
  const waiting: TriageRunEvent = { type: "activity-signalled", activity: "waiting_input", atMs: 0 };
  check([spawned], 0, "⚪");
  check([spawned, { type: "activity-signalled", activity: "active", atMs: 1 }], 1, "🟢");
  check([spawned, waiting], 60_000, "🟡");
  check([spawned, waiting], 60_001, "🟠");
  check([spawned, { type: "triage-agent-exited", exitCode: 0, atMs: 1 }], 1, "✅");
  check([spawned, { type: "triage-agent-exited", exitCode: 3, atMs: 1 }], 1, "🔴");
  check([spawned, { type: "terminated", atMs: 1 }], 1, "🔴");
});

test("a settled run has the indicator of its end (L9)", () => {
  const error = { code: "X", message: "m", remedy: "r" };
  check([{ type: "run-settled", atMs: 1, end: { status: "skipped", reason: "cooldown" } }], 2, "✅");
  check(
    [{ type: "run-settled", atMs: 1, end: { status: "failed", reason: "x", outcome: null, error } }],
    2,
    "🔴",
  );
});

/** The events of a Triage Agent of `kind: command`, which cannot signal. Its prompt is admitted at time 0. */
const command: readonly TriageRunEvent[] = [
  { type: "spawn-completed", isSignalCapable: false, atMs: 0 },
  { type: "prompt-admitted", atMs: 0 },
  { type: "activity-signalled", activity: "active", atMs: 0 },
];

test("a command Triage Agent is starting until its first output and needs input when it prints nothing (L3, L4)", () => {
  expect(stateAfter(command, 5_000)).toEqual({ type: "starting" });
  expect(stateAfter(command, 5_001)).toEqual({ type: "needs-input", sinceMs: 5_000 });
});

test("a command Triage Agent that falls silent needs input, then is stale, and runs again on output (L2, L4, L5, L6)", () => {
  const printed = (atMs: number): TriageRunEvent => ({ type: "report-observed", atMs });
  expect(stateAfter([...command, printed(1_000)], 6_000)).toEqual({ type: "running" });
  expect(stateAfter([...command, printed(1_000)], 6_001)).toEqual({ type: "needs-input", sinceMs: 6_000 });
  expect(stateAfter([...command, printed(1_000)], 66_001)).toEqual({ type: "stale", sinceMs: 66_000 });
  expect(stateAfter([...command, printed(1_000), printed(70_000)], 70_000)).toEqual({ type: "running" });
});

test("a Triage Agent that signals activity stays running through silence (L13, H5)", () => {
  const active: TriageRunEvent = { type: "activity-signalled", activity: "active", atMs: 0 };
  expect(stateAfter([spawned, { type: "prompt-admitted", atMs: 0 }, active], 3_600_000)).toEqual({
    type: "running",
  });
});

test("silence does not count once the prompt is settled (L4)", () => {
  const settled: TriageRunEvent = { type: "prompt-settled", evidence: "turn-outcome" };
  expect(stateAfter([...command, settled], 3_600_000)).toEqual({ type: "running" });
});

test("the exit of a command Triage Agent overrules its silence, with the exit code (L7)", () => {
  const exited: TriageRunEvent = { type: "triage-agent-exited", exitCode: 7, atMs: 1 };
  expect(stateAfter([...command, exited], 3_600_000)).toEqual({ type: "exited", code: 7 });
});
