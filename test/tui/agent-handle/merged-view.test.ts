import { expect, test } from "vitest";
import {
  type AgentHandleState,
  mergedView,
  type MergedView,
  type TrackedState,
} from "../../../src/tui/index.ts";
import { IDLE, track, WORKING } from "../tracker/scripted-tui.ts";

const SILENT: AgentHandleState = { type: "needs-input", sinceMs: 5_000 };
const STALE: AgentHandleState = { type: "stale", sinceMs: 65_000 };

function seen(...steps: Parameters<typeof track>[0]): TrackedState | null {
  return track(steps).at(-1) ?? null;
}

const working = seen([1_000, { screen: WORKING }]);
const waiting = seen([1_000, { screen: IDLE }]);
const asking = seen([
  1_000,
  {
    screen: {
      acceptingInput: "no",
      readyPosture: "no",
      surface: { type: "dialog", dialog: { kind: "trust", heading: "Trust?", choices: [], selected: null } },
    },
  },
]);
const unsure = seen([1_000, { screen: { surface: { type: "other" }, readyPosture: "unknown" } }]);
const dead = seen([1_000, { screen: WORKING }], [1_100, { probe: { process: "gone" } }]);

function check(
  evidence: { handle: AgentHandleState; tracked?: TrackedState | null; report?: "success" },
  expected: MergedView,
): void {
  const finalReport = evidence.report === undefined ? null : { result: evidence.report };
  expect(mergedView({ finalReport, tracked: evidence.tracked ?? null, handle: evidence.handle })).toEqual(
    expected,
  );
}

test("L13: while the TUI shows itself at work, silence does not need input", () => {
  check({ handle: SILENT, tracked: working }, { type: "running", basis: "tracker" });
  check({ handle: STALE, tracked: working }, { type: "running", basis: "tracker" });
});

test("L13: a TUI that waits or asks needs input at once", () => {
  check(
    { handle: { type: "running" }, tracked: waiting },
    { type: "needs-input", sinceMs: 1_000, basis: "tracker" },
  );
  check(
    { handle: { type: "running" }, tracked: asking },
    { type: "needs-input", sinceMs: 1_000, basis: "tracker" },
  );
  check({ handle: STALE, tracked: waiting }, { type: "stale", sinceMs: 65_000, basis: "silence" });
});

test("L13: what the tracker cannot tell is left to silence", () => {
  check({ handle: SILENT, tracked: unsure }, { ...SILENT, basis: "silence" });
  check({ handle: SILENT, tracked: dead }, { ...SILENT, basis: "silence" });
  check({ handle: { type: "starting" } }, { type: "starting", basis: "silence" });
});

test("L7, L13: a final report ranks before the exit, and the exit before the screen", () => {
  check(
    { handle: { type: "exited", code: 3 }, tracked: working },
    { type: "exited", code: 3, basis: "process-exit" },
  );
  check(
    { handle: { type: "exited", code: 3 }, tracked: working, report: "success" },
    { type: "reported", result: "success", basis: "final-report" },
  );
});
