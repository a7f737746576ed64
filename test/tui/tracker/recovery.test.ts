import { expect, test } from "vitest";
import { screenSignature, TRACKER_DEFAULTS } from "../../../src/tui/index.ts";
import { DONE, DRAFT, FAILED, IDLE, type Step, told, track, WORKING } from "./scripted-tui.ts";

function check(steps: readonly (readonly [...Step, expected: string])[]): void {
  const states = track(steps.map(([atMs, happening]) => [atMs, happening]));
  expect(states.map((state) => `${told(state)} posture ${state.surface.readyPosture}`)).toEqual(
    steps.map(([, , expected]) => expected),
  );
}

test("the default times have the specified values (H25, H26, H33, H38)", () => {
  expect(TRACKER_DEFAULTS).toMatchObject({
    settleMs: { explicit_input: 1_000, surface_inference: 1_000 },
    staleActiveRecoveryMs: 5_000,
    finalRecoveryMs: 20_000,
  });
});

test("quiet active evidence over a waiting prompt is stale after 5 s, without a success (H22, H25, H27)", () =>
  check([
    [10_000, { screen: WORKING }, "active posture no"],
    [12_000, { screen: WORKING }, "active posture no"],
    [14_999, { do: "tick" }, "active posture no"],
    [15_000, { do: "tick" }, "ready posture yes"],
    [16_000, { screen: WORKING }, "ready posture yes"],
    [17_000, { screen: DONE() }, "ready posture yes"],
    [60_000, { do: "tick" }, "ready posture yes"],
  ]));

test("a screen that changes is not stale (H25)", () =>
  check([
    [0, { screen: WORKING, text: "1 s" }, "active posture no"],
    [4_000, { screen: WORKING, text: "5 s" }, "active posture no"],
    [8_000, { screen: WORKING, text: "9 s" }, "active posture no"],
    [13_000, { do: "tick" }, "ready posture yes"],
    [13_100, { screen: WORKING, text: "14 s" }, "active posture no"],
  ]));

test.each([
  "transcript_growth",
  "program_report",
  "title_spinner",
  "open_turn",
  "interruptable_footer",
] as const)("%s is live evidence that no silence overrules (H25, H26)", (reason) => {
  const screen = { ...WORKING, activeReasons: ["spinner_row" as const, reason] };
  check([
    [0, { screen }, "active posture no"],
    [60_000, { do: "tick" }, "active posture no"],
  ]);
});

test("a draft, or a prompt that cannot be proven, is not ready for a submit (H25)", () => {
  for (const screen of [
    { ...WORKING, ...DRAFT("next") },
    { ...WORKING, acceptingInput: "unknown" as const },
    { ...WORKING, surface: { type: "other" as const } },
  ])
    check([
      [0, { screen }, "active posture no"],
      [60_000, { do: "tick" }, "active posture no"],
    ]);
});

test("an explicit Turn is abandoned only after 20 s without a change, without a result (H25, H26, H27)", () =>
  check([
    [0, { screen: IDLE }, "ready posture yes"],
    [100, { do: "submit" }, "active posture yes"],
    [1_000, { screen: WORKING }, "active posture no"],
    [20_999, { do: "tick" }, "active posture no"],
    [21_000, { do: "tick" }, "ready posture yes"],
    [22_000, { screen: DONE() }, "ready posture yes"],
    [60_000, { do: "tick" }, "ready posture yes"],
  ]));

test("an explicit Turn without any trace on the screen is abandoned too (H26)", () =>
  check([
    [0, { screen: IDLE }, "ready posture yes"],
    [100, { do: "submit" }, "active posture yes"],
    [300, { screen: IDLE, text: "help" }, "active posture no"],
    [20_299, { do: "tick" }, "active posture no"],
    [20_300, { do: "tick" }, "ready posture yes"],
  ]));

test.each([
  ["an idle screen", IDLE, 20_200],
  ["leftover signs of work", { ...IDLE, ...WORKING }, 20_200],
])(
  "an end from before an abandoned Turn is not counted as a later end when the Turn was abandoned over %s (H27, H36)",
  (_, screen, abandonedAtMs) => {
    check([
      [0, { screen: { ...IDLE, ...FAILED("old"), surface: { type: "other" } } }, "ready posture yes"],
      [100, { do: "submit" }, "active posture yes"],
      [200, { screen: { ...screen, ...FAILED("old") } }, "active posture no"],
      [abandonedAtMs, { do: "tick" }, "ready posture yes"],
      [21_000, { screen: { ...IDLE, ...FAILED("old") }, text: "redrawn" }, "ready posture yes"],
      [
        22_000,
        { screen: { ...IDLE, ...FAILED("new") } },
        "ready known_failure/surface_inference posture yes",
      ],
    ]);
  },
);

test("a message that is moved back into the composer before any output ends its Turn without a result (H29)", () =>
  check([
    [0, { screen: DRAFT("fix it") }, "ready posture yes"],
    [100, { do: "submit" }, "active posture yes"],
    [300, { screen: IDLE, text: "> fix it" }, "active posture no"],
    [900, { screen: DRAFT("fix it") }, "active posture no"],
    [1_149, { do: "tick" }, "active posture no"],
    [1_150, { do: "tick" }, "ready posture yes"],
  ]));

test("a message that stays in the composer of a TUI that paints was not taken (H29)", () =>
  check([
    [0, { screen: DRAFT("fix it") }, "ready posture yes"],
    [100, { do: "submit" }, "active posture yes"],
    [399, { do: "tick" }, "active posture yes"],
    [400, { do: "tick" }, "active posture no"],
    [500, { screen: DRAFT("fix it"), text: "a line break" }, "active posture no"],
    [5_499, { screen: DRAFT("fix it"), text: "a line break" }, "active posture no"],
    [5_500, { do: "tick" }, "ready posture yes"],
  ]));

test("a TUI that paints nothing after the submit may have taken the message until the final recovery (H26, H29)", () =>
  check([
    [0, { screen: DRAFT("fix it") }, "ready posture yes"],
    [100, { do: "submit" }, "active posture yes"],
    [5_099, { screen: DRAFT("fix it") }, "active posture no"],
    [20_099, { do: "tick" }, "active posture no"],
    [20_100, { do: "tick" }, "ready posture yes"],
  ]));

test("neither the echo of the message nor a resize shows that a TUI has read the submit (H26, H29)", () =>
  check([
    [0, { screen: IDLE }, "ready posture yes"],
    [100, { do: "submit" }, "active posture yes"],
    [200, { screen: DRAFT("fix it"), text: "echo" }, "active posture yes"],
    [300, { screen: DRAFT("fix it"), text: "rewrapped", size: [60, 24] }, "active posture yes"],
    [20_299, { do: "tick" }, "active posture no"],
    [20_300, { do: "tick" }, "ready posture yes"],
  ]));

test("a message that is refused at the prompt ends its Turn without a result (H29, H33)", () =>
  check([
    [0, { screen: IDLE }, "ready posture yes"],
    [100, { do: "submit" }, "active posture yes"],
    [300, { screen: { ...IDLE, currentError: "Message exceeds the maximum length" } }, "active posture no"],
    [1_300, { do: "tick" }, "ready posture yes"],
  ]));

test("the signature covers the text that a person can read (H26)", () => {
  const same = (a: string, b: string): boolean =>
    screenSignature(a.split("\n")) === screenSignature(b.split("\n"));
  expect(same("\u001b[31mhello\u001b[0m\nworld", "hello\nworld")).toBe(true);
  expect(same("hello   \nworld ", "hello\nworld")).toBe(true);
  expect(same("hello", "hellO")).toBe(false);
});
