import * as fc from "fast-check";
import { expect, test } from "vitest";
import { type AgentHandleFacts, agentHandleState, type AgentHandleState } from "../../src/tui/index.ts";
import "../support/seed-properties.ts";

const TIMINGS = { needsInputAfterMs: 100, staleAfterMs: 200 };

function check(facts: Partial<AgentHandleFacts>, nowMs: number, expected: AgentHandleState): void {
  const all = { startedAtMs: 0, lastOutputAtMs: null, exitCode: null, ...facts };
  expect(agentHandleState(all, nowMs, TIMINGS)).toEqual(expected);
}

test("a handle is starting until its first output and then running (L2, L3)", () => {
  check({}, 0, { type: "starting" });
  check({}, 100, { type: "starting" });
  check({ lastOutputAtMs: 30 }, 30, { type: "running" });
});

test("a handle needs input when its program is silent for longer than N, even before any output (L3, L4)", () => {
  check({ lastOutputAtMs: 0 }, 100, { type: "running" });
  check({ lastOutputAtMs: 0 }, 101, { type: "needs-input", sinceMs: 100 });
  check({ lastOutputAtMs: 50 }, 151, { type: "needs-input", sinceMs: 150 });
  check({}, 101, { type: "needs-input", sinceMs: 100 });
});

test("a handle is stale when it has needed input for longer than M (L1, L6)", () => {
  check({ lastOutputAtMs: 0 }, 300, { type: "needs-input", sinceMs: 100 });
  check({ lastOutputAtMs: 0 }, 301, { type: "stale", sinceMs: 300 });
});

test("a handle runs again when there is new output (L5)", () => {
  check({ lastOutputAtMs: 150 }, 150, { type: "running" });
  check({ lastOutputAtMs: 500 }, 500, { type: "running" });
});

test("an exited handle keeps its exit code, whatever output follows (L7)", () => {
  check({ exitCode: 0 }, 10, { type: "exited", code: 0 });
  check({ lastOutputAtMs: 0, exitCode: 2 }, 100_000, { type: "exited", code: 2 });
});

test("a restarted handle is starting again, because it has new facts (L11)", () => {
  check({ startedAtMs: 500 }, 500, { type: "starting" });
  check({ startedAtMs: 500 }, 601, { type: "needs-input", sinceMs: 600 });
});

test("the state depends only on the length of the silence (L4, L6)", () => {
  fc.assert(
    fc.property(fc.option(fc.nat(10_000)), fc.nat(1_000), (lastOutputAtMs, silentMs) => {
      const facts = { startedAtMs: 0, lastOutputAtMs, exitCode: null };
      const { type } = agentHandleState(facts, (lastOutputAtMs ?? 0) + silentMs, TIMINGS);
      const heard = lastOutputAtMs === null ? "starting" : "running";
      expect(type).toBe(silentMs > 300 ? "stale" : silentMs > 100 ? "needs-input" : heard);
    }),
  );
});
