import { expect, test } from "vitest";
import { DONE, DRAFT, FAILED, IDLE, INTERRUPTED, type Step, told, track, WORKING } from "./scripted-tui.ts";

function check(steps: readonly (readonly [...Step, expected: string])[]): void {
  const states = track(steps.map(([atMs, happening]) => [atMs, happening]));
  expect(states.map(told)).toEqual(steps.map(([, , expected]) => expected));
}

test("H1, H29, H33, H38: input arms a Turn, whose end is a success once it has stood for the settle time", () =>
  check([
    [0, { screen: IDLE }, "ready"],
    [100, { do: "submit" }, "active"],
    [300, { screen: WORKING }, "active"],
    [2_000, { screen: DONE() }, "ready"],
    [2_999, { do: "tick" }, "ready"],
    [3_000, { do: "tick" }, "ready success/explicit_input"],
  ]));

test("H31: the phase is unknown before anything was seen, and any other may follow", () =>
  check([
    [0, { do: "tick" }, "unknown"],
    [1, { screen: WORKING }, "active"],
    [2, { screen: { surface: { type: "other" }, readyPosture: "unknown" } }, "unknown"],
    [3, { screen: IDLE }, "ready"],
    [4, { screen: WORKING }, "active"],
    [5, { screen: IDLE }, "ready"],
    [6, { screen: { surface: { type: "menu" }, readyPosture: "unknown" } }, "unknown"],
  ]));

test("H1, H29: after the submit the Turn is active until the screen shows its end", () =>
  check([
    [0, { screen: IDLE }, "ready"],
    [100, { do: "submit" }, "active"],
    [200, { screen: IDLE, text: "> the message" }, "active"],
    [900, { screen: IDLE, text: "> the message, and an answer that streams" }, "active"],
    [1_500, { screen: DONE() }, "ready"],
  ]));

test("H33: without an armed Turn nothing succeeds, however long the prompt stands", () =>
  check([
    [0, { screen: DONE() }, "ready"],
    [60_000, { do: "tick" }, "ready"],
    [60_100, { screen: DONE("another") }, "ready"],
    [90_000, { do: "tick" }, "ready"],
  ]));

test("H33, H38: a TUI that sets up its session is active, but that is no Turn that could succeed", () =>
  check([
    [0, { screen: { ...WORKING, activeReasons: ["session_start"] } }, "active"],
    [500, { screen: DONE() }, "ready"],
    [5_000, { do: "tick" }, "ready"],
  ]));

test("H38: a Turn that nobody submitted through us is inferred from active evidence", () =>
  check([
    [0, { screen: IDLE }, "ready"],
    [100, { screen: WORKING }, "active"],
    [1_000, { screen: DONE() }, "ready"],
    [2_000, { do: "tick" }, "ready success/surface_inference"],
  ]));

test("H1: an end that was on the screen before the submit is not the new Turn's", () =>
  check([
    [0, { screen: INTERRUPTED("old") }, "ready interrupted/surface_inference"],
    [100, { do: "submit" }, "active interrupted/surface_inference"],
    [200, { screen: INTERRUPTED("old"), text: "repainted" }, "active interrupted/surface_inference"],
    [300, { screen: WORKING }, "active interrupted/surface_inference"],
    [900, { screen: INTERRUPTED("old") }, "ready interrupted/explicit_input"],
  ]));

test("H32: a draft, a new Turn and a dialog leave the last result as it is", () =>
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

test("H34: a success is retracted when the same Turn goes on, and given again when it ends", () =>
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

test("H32, H35: an end that reads differently later is still the same one", () => {
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

test("H37: any result may follow any other, each on a Turn of its own", () =>
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

test("H33: a draft that appears is a change of the surface, which must stand anew", () =>
  check([
    [0, { screen: WORKING }, "active"],
    [100, { screen: DONE() }, "ready"],
    [900, { screen: { ...DONE(), ...DRAFT("next") } }, "ready"],
    [1_000, { screen: { ...DONE(), ...DRAFT("next one") } }, "ready"],
    [1_899, { do: "tick" }, "ready"],
    [1_900, { do: "tick" }, "ready success/surface_inference"],
  ]));

test("H33: an end that the TUI announces must stand for less long", () => {
  const announced = { ending: { type: "success_announced" as const, signature: "done" } };
  check([
    [0, { screen: WORKING }, "active"],
    [100, { screen: announced }, "ready"],
    [349, { do: "tick" }, "ready"],
    [350, { do: "tick" }, "ready success/surface_inference"],
  ]);
});

test("H33: what the TUI has queued behind its answer belongs to the Turn", () =>
  check([
    [0, { do: "submit" }, "unknown"],
    [100, { screen: { ...DONE(), pendingInput: "yes" } }, "active"],
    [5_000, { screen: DONE("second") }, "ready"],
    [6_000, { do: "tick" }, "ready success/explicit_input"],
  ]));

test("H33: neither an error at the prompt nor a menu makes a success", () =>
  check([
    [0, { screen: WORKING }, "active"],
    [100, { screen: { ...DONE(), currentError: "Something went wrong" } }, "ready"],
    [5_000, { screen: { ...DONE(), surface: { type: "menu" } } }, "unknown"],
    [9_000, { do: "tick" }, "unknown"],
  ]));

test("H34: lines that are wrapped anew by a resize are no other end", () =>
  check([
    [0, { screen: WORKING }, "active"],
    [100, { screen: DONE("wide") }, "ready"],
    [1_100, { screen: DONE("wide") }, "ready success/surface_inference"],
    [2_000, { screen: DONE("narrow"), size: [60, 20] }, "ready success/surface_inference"],
    [2_500, { screen: DONE("narrower"), size: [60, 20] }, "ready success/surface_inference"],
    [9_000, { screen: DONE("another"), size: [60, 20] }, "ready"],
  ]));

test("H32, H34: what follows a draft is another Turn, and retracts nothing", () =>
  check([
    [0, { screen: WORKING }, "active"],
    [100, { screen: DONE("first") }, "ready"],
    [1_100, { screen: { ...DONE("first"), ...DRAFT("go on") } }, "ready success/surface_inference"],
    [1_200, { screen: WORKING }, "active success/surface_inference"],
    [1_300, { screen: DONE("second") }, "ready success/surface_inference"],
  ]));

test("H24, H30: neither a menu nor a dialog is ready, also under an end", () => {
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

test("H35, H36: interruption and failure count at once and cancel the settle timer", () =>
  check([
    [0, { do: "submit" }, "unknown"],
    [100, { screen: DONE() }, "ready"],
    [600, { screen: INTERRUPTED() }, "ready interrupted/explicit_input"],
    [9_000, { do: "tick" }, "ready interrupted/explicit_input"],
    [9_100, { do: "submit" }, "active interrupted/explicit_input"],
    [9_200, { screen: FAILED() }, "ready known_failure/explicit_input"],
  ]));
