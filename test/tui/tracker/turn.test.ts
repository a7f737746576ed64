import { expect, test } from "vitest";
import { DONE, DRAFT, FAILED, IDLE, INTERRUPTED, type Step, told, track, WORKING } from "./scripted-tui.ts";

function check(steps: readonly (readonly [...Step, expected: string])[]): void {
  const states = track(steps.map(([atMs, happening]) => [atMs, happening]));
  expect(states.map(told)).toEqual(steps.map(([, , expected]) => expected));
}

test("input arms a Turn, whose end is a success after the settle time (H1, H29, H33, H38)", () =>
  check([
    [0, { screen: IDLE }, "ready"],
    [100, { do: "submit" }, "active"],
    [300, { screen: WORKING }, "active"],
    [2_000, { screen: DONE() }, "ready"],
    [2_999, { do: "tick" }, "ready"],
    [3_000, { do: "tick" }, "ready success/explicit_input"],
  ]));

test("after a success and new input, even to a menu, a further end counts for the next Turn (H34)", () =>
  check([
    [0, { screen: IDLE }, "ready"],
    [100, { do: "submit" }, "active"],
    [300, { screen: DONE("a") }, "ready"],
    [1_300, { do: "tick" }, "ready success/explicit_input"],
    [2_000, { screen: { ...DONE("a"), surface: { type: "menu" } } }, "unknown success/explicit_input"],
    [3_000, { screen: DONE("b") }, "ready success/explicit_input"],
  ]));

test("activity reasons are reported only while the phase is active, and no result is reported once the TUI is gone (H1, H25)", () => {
  const states = track([
    [0, { screen: { ...IDLE, ...WORKING } }],
    [5_000, { do: "tick" }],
    [6_000, { screen: FAILED() }],
    [7_000, { probe: { terminal: "gone" } }],
  ]);
  expect(states.map(({ turn }) => turn.activeReasons)).toEqual([["spinner_row"], [], [], []]);
  expect(states.map(({ lastTurn }) => [lastTurn.result, lastTurn.source])).toEqual([
    ["none", "none"],
    ["none", "none"],
    ["known_failure", "surface_inference"],
    ["none", "none"],
  ]);
});

test("the phase is unknown before the first screen, and any other may follow (H31)", () =>
  check([
    [0, { do: "tick" }, "unknown"],
    [1, { screen: WORKING }, "active"],
    [2, { screen: { surface: { type: "other" }, readyPosture: "unknown" } }, "unknown"],
    [3, { screen: IDLE }, "ready"],
    [4, { screen: WORKING }, "active"],
    [5, { screen: IDLE }, "ready"],
    [6, { screen: { surface: { type: "menu" }, readyPosture: "unknown" } }, "unknown"],
  ]));

test("after the submit the Turn is active until the screen shows its end (H1, H29)", () =>
  check([
    [0, { screen: IDLE }, "ready"],
    [100, { do: "submit" }, "active"],
    [200, { screen: IDLE, text: "> the message" }, "active"],
    [900, { screen: IDLE, text: "> the message, and an answer that streams" }, "active"],
    [1_500, { screen: DONE() }, "ready"],
  ]));

test("a Turn never succeeds without being armed, however long the prompt is shown (H33)", () =>
  check([
    [0, { screen: DONE() }, "ready"],
    [60_000, { do: "tick" }, "ready"],
    [60_100, { screen: DONE("another") }, "ready"],
    [90_000, { do: "tick" }, "ready"],
  ]));

test("a TUI that starts its session is active without a Turn that could succeed (H33, H38)", () =>
  check([
    [0, { screen: { ...WORKING, activeReasons: ["session_start"] } }, "active"],
    [500, { screen: DONE() }, "ready"],
    [5_000, { do: "tick" }, "ready"],
  ]));

test("a Turn that was not submitted through us is inferred from active evidence (H38)", () =>
  check([
    [0, { screen: IDLE }, "ready"],
    [100, { screen: WORKING }, "active"],
    [1_000, { screen: DONE() }, "ready"],
    [2_000, { do: "tick" }, "ready success/surface_inference"],
  ]));

test("an end that was on the screen before the submit is not the new Turn's (H1)", () =>
  check([
    [0, { screen: INTERRUPTED("old") }, "ready interrupted/surface_inference"],
    [100, { do: "submit" }, "active interrupted/surface_inference"],
    [200, { screen: INTERRUPTED("old"), text: "repainted" }, "active interrupted/surface_inference"],
    [300, { screen: WORKING }, "active interrupted/surface_inference"],
    [900, { screen: INTERRUPTED("old") }, "ready interrupted/explicit_input"],
  ]));

test("a draft, a new Turn and a dialog do not change the last result (H32)", () =>
  check([
    [0, { screen: WORKING }, "active"],
    [100, { screen: FAILED() }, "ready known_failure/surface_inference"],
    [200, { screen: { ...FAILED(), ...DRAFT("again") } }, "ready known_failure/surface_inference"],
    [300, { do: "submit" }, "active known_failure/surface_inference"],
    [400, { screen: WORKING }, "active known_failure/surface_inference"],
    [500, { screen: { ...IDLE, surface: { type: "menu" } } }, "unknown known_failure/surface_inference"],
    [600, { screen: DONE() }, "ready known_failure/surface_inference"],
    [1_600, { do: "tick" }, "ready success/explicit_input"],
  ]));

test("a success is retracted when the same Turn continues, and published again when it ends (H34)", () =>
  check([
    [0, { screen: WORKING }, "active"],
    [100, { screen: DONE("first") }, "ready"],
    [1_100, { do: "tick" }, "ready success/surface_inference"],
    [1_200, { screen: DONE("second") }, "ready"],
    [2_200, { do: "tick" }, "ready success/surface_inference"],
    [2_300, { screen: WORKING }, "active"],
    [2_400, { screen: DONE("third") }, "ready"],
    [3_400, { do: "tick" }, "ready success/surface_inference"],
  ]));

test("an end whose text changes later is still the same end (H32, H35)", () => {
  const states = track([
    [0, { do: "submit" }],
    [100, { screen: INTERRUPTED("wide") }],
    [900, { screen: INTERRUPTED("narrow") }],
  ]);
  expect(states.at(-1)?.lastTurn).toEqual({
    result: "interrupted",
    source: "explicit_input",
    error: null,
    atMs: 100,
  });
});

test("any result may follow any other on a new Turn (H37)", () =>
  check([
    [0, { screen: WORKING }, "active"],
    [100, { screen: FAILED("a") }, "ready known_failure/surface_inference"],
    [200, { screen: WORKING }, "active known_failure/surface_inference"],
    [300, { screen: FAILED("b") }, "ready known_failure/surface_inference"],
    [400, { screen: WORKING }, "active known_failure/surface_inference"],
    [500, { screen: INTERRUPTED() }, "ready interrupted/surface_inference"],
    [600, { do: "submit" }, "active interrupted/surface_inference"],
    [700, { screen: DONE() }, "ready interrupted/surface_inference"],
    [1_700, { screen: DONE() }, "ready success/explicit_input"],
  ]));

test("a draft that appears changes the surface, and the settle time starts again (H33)", () =>
  check([
    [0, { screen: WORKING }, "active"],
    [100, { screen: DONE() }, "ready"],
    [900, { screen: { ...DONE(), ...DRAFT("next") } }, "ready"],
    [1_000, { screen: { ...DONE(), ...DRAFT("next one") } }, "ready"],
    [1_899, { do: "tick" }, "ready"],
    [1_900, { do: "tick" }, "ready success/surface_inference"],
  ]));

test("an end that the TUI announces settles in a shorter time (H33)", () => {
  const announced = { ending: { type: "success_announced" as const, signature: "done" } };
  check([
    [0, { screen: WORKING }, "active"],
    [100, { screen: announced }, "ready"],
    [349, { do: "tick" }, "ready"],
    [350, { do: "tick" }, "ready success/surface_inference"],
  ]);
});

test("messages that the TUI has queued behind its answer belong to the Turn (H33)", () =>
  check([
    [0, { do: "submit" }, "unknown"],
    [100, { screen: { ...DONE(), pendingInput: "yes" } }, "active"],
    [5_000, { screen: DONE("second") }, "ready"],
    [6_000, { do: "tick" }, "ready success/explicit_input"],
  ]));

test("an error at the prompt or a menu never becomes a success (H33)", () =>
  check([
    [0, { screen: WORKING }, "active"],
    [100, { screen: { ...DONE(), currentError: "Something went wrong" } }, "ready"],
    [5_000, { screen: { ...DONE(), surface: { type: "menu" } } }, "unknown"],
    [9_000, { do: "tick" }, "unknown"],
  ]));

test("lines rewrapped by a resize are not another end (H34)", () =>
  check([
    [0, { screen: WORKING }, "active"],
    [100, { screen: DONE("wide") }, "ready"],
    [1_100, { screen: DONE("wide") }, "ready success/surface_inference"],
    [2_000, { screen: DONE("narrow"), size: [60, 20] }, "ready success/surface_inference"],
    [2_500, { screen: DONE("narrower"), size: [60, 20] }, "ready success/surface_inference"],
    [9_000, { screen: DONE("another"), size: [60, 20] }, "ready"],
  ]));

test("an end after a draft belongs to another Turn and retracts nothing (H32, H34)", () =>
  check([
    [0, { screen: WORKING }, "active"],
    [100, { screen: DONE("first") }, "ready"],
    [1_100, { screen: { ...DONE("first"), ...DRAFT("go on") } }, "ready success/surface_inference"],
    [1_200, { screen: WORKING }, "active success/surface_inference"],
    [1_300, { screen: DONE("second") }, "ready success/surface_inference"],
  ]));

test("a menu or a dialog is never ready, even after an end (H24, H30)", () => {
  for (const surface of [
    { type: "menu" as const },
    { type: "starting" as const },
    { type: "departed" as const },
  ])
    check([
      [0, { screen: { ...INTERRUPTED(), surface } }, "unknown"],
      [1, { screen: { ...DONE(), surface } }, "unknown"],
    ]);
});

test("interruption and failure count at once and cancel the settle timer (H35, H36)", () =>
  check([
    [0, { do: "submit" }, "unknown"],
    [100, { screen: DONE() }, "ready"],
    [600, { screen: INTERRUPTED() }, "ready interrupted/explicit_input"],
    [9_000, { do: "tick" }, "ready interrupted/explicit_input"],
    [9_100, { do: "submit" }, "active interrupted/explicit_input"],
    [9_200, { screen: FAILED() }, "ready known_failure/explicit_input"],
  ]));
