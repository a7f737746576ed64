import { expect, test } from "vitest";
import {
  type Availability,
  type AvailabilityFacts,
  availabilityOf,
  createTracker,
  nextAvailability,
  resolveProfile,
} from "../../../src/tui/index.ts";
import { FAILED, IDLE, scriptedScreen, type Step, track, WORKING } from "./scripted-tui.ts";

const GOOD: AvailabilityFacts = {
  transport: "up",
  process: "up",
  parse: "parsed",
  hasProbeError: false,
  hasParseError: false,
  hasSurface: true,
};

function check(facts: Partial<AvailabilityFacts>, expected: Availability): void {
  expect(availabilityOf({ ...GOOD, ...facts })).toBe(expected);
}

test("availability is the first match of error, unavailable, tui_down, unsupported, available, unknown (H12–H16)", () => {
  check({}, "available");
  check({ process: "unknown" }, "available");
  check({ hasSurface: false }, "unknown");
  check({ parse: "skipped_tui_down" }, "unknown");
  check({ parse: "transport_unavailable" }, "unknown");
  check({ parse: "unsupported_tool" }, "unknown");
  check({ process: "unsupported_tool" }, "unknown");
  check({ process: "down", parse: "unsupported_tool" }, "tui_down");
  check({ transport: "missing", process: "down" }, "unavailable");
  check({ transport: "missing", hasProbeError: true }, "error");
  check({ transport: "probe_error" }, "error");
  check({ process: "probe_error" }, "error");
  check({ parse: "probe_error" }, "error");
  check({ parse: "parse_error" }, "error");
  check({ hasParseError: true, transport: "missing" }, "error");
});

test("availability changes only along allowed transitions, through unknown if possible (H17)", () => {
  const walk = (...wanted: Availability[]): Availability[] => {
    let now: Availability = "unknown";
    return wanted.map((next) => (now = nextAvailability(now, next)));
  };
  expect(walk("available", "tui_down", "available", "error", "available")).toEqual([
    "available",
    "tui_down",
    "available",
    "error",
    "available",
  ]);
  expect(walk("unavailable", "available", "available")).toEqual(["unavailable", "unknown", "available"]);
  expect(walk("error", "unavailable", "unavailable")).toEqual(["error", "unknown", "unavailable"]);
  expect(walk("available", "tui_down", "error")).toEqual(["available", "tui_down", "tui_down"]);
  expect(walk("available", "unknown")).toEqual(["available", "available"]);
});

function told(steps: readonly Step[]): string[] {
  return track(steps).map(
    ({ diagnostics, surface, turn, lastTurn }) =>
      `${diagnostics.availability} ${surface.acceptingInput} ${turn.phase} ${lastTurn.result}`,
  );
}

test("the tracker publishes nothing before the first screen, and then only what the screen proves (H15)", () => {
  const states = told([
    [0, { probe: {} }],
    [1, { screen: { surface: { type: "other" }, acceptingInput: "unknown", readyPosture: "unknown" } }],
    [2, { screen: IDLE }],
    [3, { screen: WORKING }],
    [4, { screen: FAILED() }],
  ]);
  expect(states).toEqual([
    "unknown unknown unknown none",
    "available unknown unknown none",
    "available yes ready none",
    "available yes active none",
    "available yes ready known_failure",
  ]);
});

test("a terminal that is gone withholds all values, and a new one publishes its own (H13, H30)", () => {
  expect(
    told([
      [0, { screen: FAILED() }],
      [1, { probe: { terminal: "gone", process: "gone" } }],
      [2, { probe: {} }],
    ]),
  ).toEqual([
    "available yes ready known_failure",
    "unavailable unknown unknown none",
    "unknown unknown unknown known_failure",
  ]);
});

test("a TUI that has ended leaves stale values, and text painted over them is not read (H14, H30)", () => {
  const states = told([
    [0, { screen: WORKING }],
    [1, { probe: { process: "gone" } }],
    [2, { screen: { ...FAILED(), acceptingInput: "no" } }],
    [3, { probe: {} }],
    [4, { screen: IDLE }],
  ]);
  expect(states).toEqual([
    "available yes active none",
    "tui_down yes unknown none",
    "tui_down yes unknown none",
    "tui_down unknown unknown none",
    "available yes ready none",
  ]);
});

test("a failed probe and an unreadable screen are reported as errors with their details and change no result (H12)", () => {
  const states = track([
    [0, { screen: FAILED() }],
    [1, { do: "show what cannot be read" }],
    [2, { probe: { probeError: "no answer" } }],
    [3, { screen: FAILED() }],
    [4, { probe: {} }],
  ]);
  expect(states.map(({ diagnostics, turn }) => [diagnostics.availability, turn.phase])).toEqual([
    ["available", "ready"],
    ["error", "unknown"],
    ["error", "unknown"],
    ["error", "unknown"],
    ["available", "ready"],
  ]);
  expect(states[2]?.diagnostics).toMatchObject({
    probeError: "no answer",
    parseError: expect.stringContaining("JSON"),
  });
  expect(states.every(({ lastTurn }) => lastTurn.result === "known_failure")).toBe(true);
});

test("an unsupported tool stays unknown, whatever its screen shows (H16)", () => {
  const { profile, ...rest } = resolveProfile({ tool: "nano", observedVersion: null });
  const tracker = createTracker({ profile, ...rest });
  const screen = scriptedScreen(WORKING);
  const state = tracker.apply({ type: "screen", screen, atMs: 0 });
  expect(state.diagnostics.availability).toBe("unknown");
  expect(state.turn.phase).toBe("unknown");
  expect(state.detector).toMatchObject({ family: "unsupported_tool", profileExtrapolated: true });
});
