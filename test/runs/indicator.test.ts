import { expect, test } from "vitest";
import {
  deriveHandleState,
  type Indicator,
  indicator,
  selectedTriageRun,
  transition,
  type TriageRunEvent,
} from "../../src/runs/index.ts";

function indicatorAfter(events: readonly TriageRunEvent[], nowMs: number): Indicator {
  const selected = selectedTriageRun({ runId: "20260101T000000Z", repo: "o/r", number: 1, atMs: 0 });
  return indicator(deriveHandleState(events.reduce(transition, selected), nowMs));
}

test("L9: one indicator for each state of the agent handle", () => {
  const spawned: TriageRunEvent = { type: "spawn-completed", isSignalCapable: true, atMs: 0 };
  const waiting: TriageRunEvent = { type: "activity-signalled", activity: "waiting_input", atMs: 0 };
  expect(indicatorAfter([spawned], 0)).toEqual({ symbol: "⚪", isPulsing: false });
  expect(indicatorAfter([spawned, { type: "activity-signalled", activity: "active", atMs: 1 }], 1)).toEqual({
    symbol: "🟢",
    isPulsing: false,
  });
  expect(indicatorAfter([spawned, waiting], 60_000)).toEqual({ symbol: "🟡", isPulsing: true });
  expect(indicatorAfter([spawned, waiting], 60_001)).toEqual({ symbol: "🟠", isPulsing: false });
  expect(indicatorAfter([spawned, { type: "triage-agent-exited", exitCode: 0, atMs: 1 }], 1)).toEqual({
    symbol: "✅",
    isPulsing: false,
  });
  expect(indicatorAfter([spawned, { type: "triage-agent-exited", exitCode: 3, atMs: 1 }], 1)).toEqual({
    symbol: "🔴",
    isPulsing: false,
  });
  expect(indicatorAfter([spawned, { type: "terminated", atMs: 1 }], 1)).toEqual({
    symbol: "🔴",
    isPulsing: false,
  });
});

test("L9: a settled run shows how it ended", () => {
  const error = { code: "X", message: "m", remedy: "r" };
  expect(
    indicatorAfter([{ type: "run-settled", atMs: 1, end: { status: "skipped", reason: "cooldown" } }], 2),
  ).toEqual({ symbol: "✅", isPulsing: false });
  expect(
    indicatorAfter(
      [{ type: "run-settled", atMs: 1, end: { status: "failed", reason: "x", outcome: null, error } }],
      2,
    ),
  ).toEqual({ symbol: "🔴", isPulsing: false });
});
