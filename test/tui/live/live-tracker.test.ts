import { expect, test } from "vitest";
import { trackedStates } from "../../../src/tui/index.ts";
import { DONE, IDLE, told, WORKING } from "../tracker/scripted-tui.ts";
import { scriptedTerminal } from "./scripted-terminal.ts";

test("the live adapter publishes every change of state, including those caused only by time (H2, H3)", async () => {
  await using terminal = await scriptedTerminal();
  const { clock, tracker } = terminal;
  expect(terminal.told).toEqual(["unknown unknown", "available ready"]);
  terminal.show(WORKING);
  await clock.advance(100);
  terminal.show(DONE());
  await clock.advance(100);
  expect(terminal.told.slice(2)).toEqual(["available active", "available ready"]);
  await clock.advance(1_000);
  expect(terminal.told.slice(4)).toEqual(["available ready success/surface_inference"]);
  await clock.advance(60_000);
  expect(terminal.told).toHaveLength(5);
  expect(tracker.state.lastTurn.result).toBe("success");
});

test("an observation merges state, lifecycle timing, authority and visible stability (H3)", async () => {
  await using terminal = await scriptedTerminal();
  const { clock, tracker } = terminal;
  const startedAtMs = clock.nowMs();
  await clock.advance(1_000);
  terminal.show(WORKING);
  await clock.advance(3_000);
  const { lifecycle, authority, stableForMs, seq } = tracker.observe();
  expect(lifecycle.startedAtMs).toBe(startedAtMs);
  expect(lifecycle.phaseSinceMs).toBeGreaterThanOrEqual(startedAtMs + 1_000);
  expect(clock.nowMs() - lifecycle.phaseSinceMs).toBe(stableForMs);
  expect(authority).toBe("tracker");
  expect(seq).toBe(2);
});

test("a failed read of the screen is a temporary error (H12, H17)", async () => {
  await using terminal = await scriptedTerminal();
  const { clock, tracker } = terminal;
  terminal.failure = "the host did not answer";
  await clock.advance(1_000);
  expect(tracker.state.diagnostics).toMatchObject({
    availability: "error",
    probeError: "the host did not answer",
  });
  expect(tracker.observe().authority).toBe("silence");
  terminal.failure = null;
  await clock.advance(1_000);
  expect(tracker.state.diagnostics).toEqual({
    availability: "available",
    probeError: null,
    parseError: null,
  });
  expect(tracker.state.turn.phase).toBe("ready");
});

test("a terminal that is gone is unavailable (H13)", async () => {
  await using terminal = await scriptedTerminal();
  terminal.runtime = { terminal: "gone", process: "gone", probeError: null };
  await terminal.clock.advance(1_000);
  expect(terminal.told.at(-1)).toBe("unavailable unknown");
});

test("a wait for a state ends with the state, its timeout, its signal or the end of the tracker (H3)", async () => {
  const terminal = await scriptedTerminal();
  const { clock, tracker } = terminal;
  const isActive = ({ turn }: typeof tracker.state): boolean => turn.phase === "active";
  const seen = tracker.until(isActive, 1_000);
  terminal.show(WORKING);
  await clock.advance(100);
  expect((await seen)?.turn.phase).toBe("active");
  terminal.show(IDLE);
  await clock.advance(100);
  const late = tracker.until(isActive, 1_000);
  await clock.advance(1_000);
  expect(await late).toBeNull();
  const abort = new AbortController();
  const aborted = tracker.until(isActive, 1_000, abort.signal);
  abort.abort(new Error("enough"));
  await expect(aborted).rejects.toThrow("enough");
  const closed = tracker.until(isActive, 1_000);
  await terminal[Symbol.asyncDispose]();
  expect(await closed).toBeNull();
});

test("the states can be read one by one until the reader stops (H3)", async () => {
  await using terminal = await scriptedTerminal();
  const abort = new AbortController();
  const seen: string[] = [];
  const reading = (async () => {
    for await (const state of trackedStates(terminal.tracker, abort.signal)) seen.push(told(state));
  })();
  terminal.show(WORKING);
  await terminal.clock.advance(100);
  terminal.show(DONE());
  await terminal.clock.advance(2_000);
  abort.abort();
  await reading;
  expect(seen).toEqual(["ready", "active", "ready", "ready success/surface_inference"]);
});
