import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  agentHandleChangedAtMs,
  type AgentHandleEvent,
  type AgentHandleFacts,
  agentHandleState,
  newAgentHandle,
  nextSilenceLimitMs,
  transitionAgentHandle,
} from "../../../src/tui/index.ts";
import "../../support/seed-properties.ts";

const TIMINGS = { needsInputAfterMs: 100, staleAfterMs: 200 };

type Step = readonly [atMs: number, what: "output" | "tick" | "restart" | `exit:${number}`];

function play(steps: readonly Step[]): { facts: AgentHandleFacts; atMs: number } {
  let [facts, nowMs] = [newAgentHandle(0), 0];
  for (const [atMs, what] of steps) {
    nowMs = atMs;
    const event = eventOf(atMs, what);
    if (event !== null) facts = transitionAgentHandle(facts, event, TIMINGS);
  }
  return { facts, atMs: nowMs };
}

function eventOf(atMs: number, what: Step[1]): AgentHandleEvent | null {
  if (what === "tick") return null;
  if (what === "output") return { type: "output", atMs };
  if (what === "restart") return { type: "restarted", atMs };
  return { type: "exited", code: Number(what.slice("exit:".length)), atMs };
}

function check(steps: readonly Step[], expected: ReturnType<typeof agentHandleState>): void {
  const { facts, atMs } = play(steps);
  expect(agentHandleState(facts, atMs, TIMINGS)).toEqual(expected);
}

test("L2, L3: a handle starts as Starting and runs from its first output", () => {
  check([], { type: "starting" });
  check([[100, "tick"]], { type: "starting" });
  check([[30, "output"]], { type: "running" });
});

test("L3, L4: silence for longer than N needs input, also when nothing was ever printed", () => {
  check(
    [
      [0, "output"],
      [100, "tick"],
    ],
    { type: "running" },
  );
  check(
    [
      [0, "output"],
      [101, "tick"],
    ],
    { type: "needs-input", sinceMs: 100 },
  );
  check(
    [
      [50, "output"],
      [151, "tick"],
    ],
    { type: "needs-input", sinceMs: 150 },
  );
  check([[101, "tick"]], { type: "needs-input", sinceMs: 100 });
});

test("L6: after M more it is stale", () => {
  check(
    [
      [0, "output"],
      [300, "tick"],
    ],
    { type: "needs-input", sinceMs: 100 },
  );
  check(
    [
      [0, "output"],
      [301, "tick"],
    ],
    { type: "stale", sinceMs: 300 },
  );
});

test("L5: new output runs again", () => {
  check(
    [
      [0, "output"],
      [150, "tick"],
      [150, "output"],
    ],
    { type: "running" },
  );
  check(
    [
      [0, "output"],
      [400, "tick"],
      [500, "output"],
    ],
    { type: "running" },
  );
});

test("L7: the end of the program is final, with its code", () => {
  check([[10, "exit:0"]], { type: "exited", code: 0 });
  check(
    [
      [0, "output"],
      [400, "tick"],
      [410, "exit:2"],
    ],
    { type: "exited", code: 2 },
  );
  check(
    [
      [0, "exit:0"],
      [0, "output"],
      [100_000, "tick"],
    ],
    { type: "exited", code: 0 },
  );
  check(
    [
      [0, "exit:1"],
      [5, "exit:0"],
    ],
    { type: "exited", code: 1 },
  );
});

test("L11: a restart starts anew, and only after the end", () => {
  check(
    [
      [0, "output"],
      [5, "exit:0"],
      [500, "restart"],
    ],
    { type: "starting" },
  );
  check(
    [
      [5, "exit:0"],
      [500, "restart"],
      [601, "tick"],
    ],
    { type: "needs-input", sinceMs: 600 },
  );
  expect(() =>
    play([
      [0, "output"],
      [5, "restart"],
    ]),
  ).toThrow("only once its program has exited");
});

test("L1: the state has changed when it became what it is", () => {
  const changedAt = (...steps: Step[]): number => {
    const { facts, atMs } = play(steps);
    return agentHandleChangedAtMs(facts, atMs, TIMINGS);
  };
  expect(changedAt([50, "tick"])).toBe(0);
  expect(changedAt([10, "output"], [60, "output"])).toBe(10);
  expect(changedAt([10, "output"], [60, "output"], [170, "tick"])).toBe(160);
  expect(changedAt([10, "output"], [170, "output"])).toBe(170);
  expect(changedAt([10, "output"], [999, "tick"])).toBe(310);
  expect(changedAt([10, "output"], [20, "exit:0"], [999, "tick"])).toBe(20);
});

test("L4, L6: how often it is asked changes no state, and the next limit is where it changes", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(150), { maxLength: 20 }), fc.nat(1_000), (gaps, waitedMs) => {
      let atMs = 0;
      const outputs = gaps.map((gap) => [(atMs += gap), "output"] as const);
      const { facts } = play(outputs);
      const nowMs = atMs + waitedMs;
      const silentMs = gaps.length === 0 ? nowMs : waitedMs;
      const expected =
        silentMs > 300 ? "stale" : silentMs > 100 ? "needs-input" : gaps.length > 0 ? "running" : "starting";
      const { type } = agentHandleState(facts, nowMs, TIMINGS);
      expect(type).toBe(expected);
      const limitMs = nextSilenceLimitMs(facts, nowMs, TIMINGS);
      expect(limitMs === null).toBe(type === "stale");
      const atLimitMs = limitMs ?? nowMs;
      expect(agentHandleState(facts, atLimitMs, TIMINGS).type).toBe(type);
      expect(agentHandleState(facts, atLimitMs + 1, TIMINGS).type === type).toBe(limitMs === null);
    }),
  );
});
