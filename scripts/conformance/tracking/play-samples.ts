import type { TrackedState, Tracker, TrackerEvent } from "../../../src/tui/index.ts";
import { ansiScreen, type Played } from "../../../test/support/tui-recordings/index.ts";
import type { z } from "zod";
import { type Frame, frameOf } from "./difference.ts";
import { runtimeFacts, type runtimeSchema } from "./observed-fields.ts";

/** One sample of a terminal: the results of the probes and, while the TUI is running, its screen. */
export interface Sampled {
  atMs: number;
  runtime: z.infer<typeof runtimeSchema> | null;
  /** The screen with SGR sequences; null if none was captured. */
  text: string | null;
}

export interface TakenSample<T extends Sampled> {
  sample: T;
  state: TrackedState;
  frame: Frame;
}

/** Plays samples and inputs; both lists must be in order of time. */
export function playSamples<T extends Sampled>(
  tracker: Tracker,
  samples: readonly T[],
  submitsMs: readonly number[],
): TakenSample<T>[] {
  const taken: TakenSample<T>[] = [];
  let fromMs = Number.NEGATIVE_INFINITY;
  let wasProcessSeen = false;
  for (const sample of samples) {
    for (const atMs of submitsMs.filter((one) => one > fromMs && one <= sample.atMs))
      applyInTime(tracker, { type: "submitted", atMs });
    const played = takeSample(tracker, sample, wasProcessSeen);
    taken.push({ sample, state: played.state, frame: frameOf(played, taken.at(-1)?.frame ?? null) });
    wasProcessSeen ||= sample.runtime?.supported_process_alive === true;
    fromMs = sample.atMs;
  }
  return taken;
}

/** Applies an event after all timers of the tracker that were due before it. */
export function applyInTime(tracker: Tracker, event: TrackerEvent): TrackedState {
  for (let dueMs = tracker.nextTimerMs; dueMs !== null && dueMs <= event.atMs; dueMs = tracker.nextTimerMs) {
    tracker.apply({ type: "tick", atMs: dueMs });
    if (tracker.nextTimerMs === dueMs) throw new Error(`the tracker's timer of ${dueMs} ms never fires`);
  }
  return tracker.apply(event);
}

function takeSample(tracker: Tracker, { atMs, runtime, text }: Sampled, wasProcessSeen: boolean): Played {
  const facts = runtime === null ? null : runtimeFacts(runtime, wasProcessSeen);
  let event: TrackerEvent =
    facts === null ? { type: "tick", atMs } : { type: "probed", runtime: facts, atMs };
  let state = applyInTime(tracker, event);
  if (text !== null && facts?.process !== "gone") {
    event = { type: "screen", screen: ansiScreen(text), atMs };
    state = tracker.apply(event);
  }
  return { event, state };
}
