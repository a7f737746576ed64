import { expect, test } from "vitest";
import {
  createTracker,
  resolveProfile,
  type TrackedState,
  type Tracker,
  type TrackerEvent,
} from "../../src/tui/index.ts";
import {
  type Played,
  playRecording,
  type Recording,
  trackerEvents,
} from "../support/tui-recordings/index.ts";
import { DONE, IDLE, WORKING } from "./handmade.ts";

const RECORDING: Recording = {
  header: {
    type: "header",
    recording: "r",
    tool: "claude",
    version: "2.1.197",
    cols: 80,
    rows: 24,
    scenario: "",
  },
  events: [
    paint(1_000, IDLE),
    { type: "input", t_ms: 2_900, b64: Buffer.from("x"), sem: "draft" },
    { type: "input", t_ms: 3_000, b64: Buffer.from("\r"), sem: "submit" },
    paint(3_100, WORKING),
    { type: "resize", t_ms: 5_000, cols: 100, rows: 30 },
    paint(8_000, DONE),
  ],
  durationMs: 12_000,
};

test("a tracker receives only screens and submits: soon after a change, and every 250 ms (H4)", () => {
  const events = [...trackerEvents(RECORDING)].map(({ event }) => event);
  expect(new Set(events.map(({ type }) => type))).toEqual(new Set(["screen", "submitted"]));
  expect(events.filter(({ type }) => type === "submitted")).toEqual([{ type: "submitted", atMs: 3_000 }]);
  const screens = events.filter((event) => event.type === "screen");
  const times = screens.map(({ atMs }) => atMs);
  expect(times).toEqual(times.toSorted((left, right) => left - right));
  for (let atMs = 0; atMs <= 12_000; atMs += 250) expect(times).toContain(atMs);
  for (const changedMs of [1_000, 3_100, 8_000])
    expect(times.some((atMs) => atMs > changedMs && atMs <= changedMs + 50)).toBe(true);
  const sizeAt = (atMs: number): number | undefined =>
    screens.findLast((one) => one.atMs <= atMs)?.screen.cols;
  expect([sizeAt(4_900), sizeAt(5_100)]).toEqual([80, 100]);
});

test("ticks occur exactly when the tracker's own timers are due (H4)", () => {
  const heard: TrackerEvent[] = [];
  const tracker = open();
  const listening: Tracker = {
    apply: (event) => {
      if (event.type === "tick")
        expect(event.atMs).toBe(Math.max(tracker.nextTimerMs ?? -1, heard.at(-1)?.atMs ?? 0));
      heard.push(event);
      return tracker.apply(event);
    },
    get state() {
      return tracker.state;
    },
    get nextTimerMs() {
      return tracker.nextTimerMs;
    },
  };
  const last = [...playRecording(RECORDING, listening)].at(-1);
  expect(heard.some(({ type }) => type === "tick")).toBe(true);
  expect(last?.state).toMatchObject({
    turn: { phase: "ready" },
    lastTurn: { result: "success", source: "explicit_input" },
  });
});

test("a replay produces the same states, even with additional ticks (H4)", () => {
  const once = [...playRecording(RECORDING, open())];
  expect(stories([...playRecording(RECORDING, open())])).toEqual(stories(once));
  const tracker = open();
  const ticked = once.map(({ event }): Played => {
    for (let atMs = tracker.state.atMs + 10; atMs < event.atMs; atMs += 10)
      tracker.apply({ type: "tick", atMs });
    return { event, state: tracker.apply(event) };
  });
  expect(stories(ticked)).toEqual(stories(once));
});

test("a timer that never fires is reported as a defect and does not replay endlessly (H4)", () => {
  const tracker = open();
  const stuck: Tracker = { apply: (event) => tracker.apply(event), state: tracker.state, nextTimerMs: 100 };
  expect(() => [...playRecording(RECORDING, stuck)]).toThrow("never done");
});

/** Returns the fields that consumers read, at every event except ticks. */
function stories(played: readonly Played[]): Pick<TrackedState, "surface" | "turn" | "lastTurn">[] {
  return played.flatMap(({ event, state: { surface, turn, lastTurn } }) =>
    event.type === "tick" ? [] : [{ surface, turn, lastTurn }],
  );
}

function open(): Tracker {
  return createTracker(resolveProfile({ tool: "claude", observedVersion: "2.1.197" }));
}

function paint(t_ms: number, lines: readonly string[]): Recording["events"][number] {
  const cursor = `\x1b[${lines.findIndex((line) => line === "❯\u00a0") + 1};3H`;
  return { type: "output", t_ms, b64: Buffer.from(`\x1b[2J\x1b[H${lines.join("\r\n")}${cursor}`) };
}
