import type {
  DetectorProfile,
  RuntimeFacts,
  TrackedState,
  Tracker,
  TrackerEvent,
  TuiScreen,
  TuiSignals,
} from "../../../src/tui/index.ts";
import { createTracker, type TrackerSettings } from "../../../src/tui/index.ts";

/** Returns a screen whose first line contains, as JSON, the signals that the scripted detector reads. */
export function scriptedScreen(signals: Partial<TuiSignals>, text = "", size = [80, 24]): TuiScreen {
  const [cols = 80, rows = 24] = size;
  return {
    cols,
    rows,
    lines: [JSON.stringify(signals), text],
    cellsOf: () => [],
    cursor: null,
    title: "",
    programReport: null,
  };
}

export const scriptedProfile: DetectorProfile = {
  family: "scripted",
  name: "1.x",
  floor: [1, 0, 0],
  testedBelow: [2, 0, 0],
  create: () => ({
    detect: ({ lines: [line = "{}"] }) => ({ ...IDLE, ...(JSON.parse(line) as Partial<TuiSignals>) }),
  }),
};

/** An empty composer at rest, without a Turn. */
export const IDLE: TuiSignals = {
  surface: { type: "composer" },
  acceptingInput: "yes",
  editingInput: "no",
  readyPosture: "yes",
  pendingInput: "no",
  activeReasons: [],
  ending: null,
  currentError: null,
  evidence: [],
};

export const WORKING: Partial<TuiSignals> = { activeReasons: ["spinner_row"], readyPosture: "no" };
export const DRAFT = (text: string): Partial<TuiSignals> => ({
  editingInput: "yes",
  evidence: [{ signal: "editing_input", row: 1, text }],
});
export const DONE = (signature = "done"): Partial<TuiSignals> => ({
  ending: { type: "success_candidate", signature },
});
export const INTERRUPTED = (signature = "interrupted"): Partial<TuiSignals> => ({
  ending: { type: "interrupted", signature },
});
export const FAILED = (signature = "failed"): Partial<TuiSignals> => ({
  ending: { type: "known_failure", signature, error: "API Error: 500" },
});

export type Happening =
  | { screen: Partial<TuiSignals>; text?: string; size?: [number, number] }
  | { do: "show what cannot be read" }
  | { do: "submit" }
  | { do: "tick" }
  | { probe: Partial<RuntimeFacts> };

/** An event and its time, in milliseconds. */
export type Step = readonly [atMs: number, happening: Happening];

export function track(steps: readonly Step[], settings: Partial<TrackerSettings> = {}): TrackedState[] {
  const tracker = scriptedTracker(settings);
  return steps.map((step) => tracker.apply(eventOf(step)));
}

/** Returns the states of the steps and of the timers in between. */
export function trackEvery(steps: readonly Step[]): TrackedState[] {
  const tracker = scriptedTracker({});
  return steps.flatMap((step) => {
    const between: TrackedState[] = [];
    for (let dueMs = tracker.nextTimerMs; dueMs !== null && dueMs <= step[0]; dueMs = tracker.nextTimerMs)
      between.push(tracker.apply({ type: "tick", atMs: dueMs }));
    return [...between, tracker.apply(eventOf(step))];
  });
}

function scriptedTracker(settings: Partial<TrackerSettings>): Tracker {
  return createTracker({
    profile: scriptedProfile,
    observedVersion: "1.2.3",
    profileExtrapolated: false,
    settings,
  });
}

function eventOf([atMs, happening]: Step): TrackerEvent {
  if ("screen" in happening) {
    return { type: "screen", screen: scriptedScreen(happening.screen, happening.text, happening.size), atMs };
  }
  if ("probe" in happening) {
    return {
      type: "probed",
      runtime: { terminal: "up", process: "alive", probeError: null, ...happening.probe },
      atMs,
    };
  }
  switch (happening.do) {
    case "submit":
      return { type: "submitted", atMs };
    case "tick":
      return { type: "tick", atMs };
    case "show what cannot be read":
      return { type: "screen", screen: { ...scriptedScreen({}), lines: ["no JSON"] }, atMs };
    default:
      return happening satisfies never;
  }
}

/** Formats a state, e.g. `ready success/explicit_input`. */
export function told({ turn, lastTurn }: TrackedState): string {
  return lastTurn.result === "none" ? turn.phase : `${turn.phase} ${lastTurn.result}/${lastTurn.source}`;
}
