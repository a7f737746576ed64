import { expect, test } from "vitest";
import {
  type ClaudeScreen,
  planStep,
  readClaudeScreen,
  type Step,
  TURN_TIMINGS,
  type TurnFacts,
} from "../../../src/tui/index.ts";
import {
  apiKeyDialog,
  autoModePermission,
  bashPermission,
  modelPicker,
  screenOf,
  trustDialog197,
  trustDialog329,
} from "./claude-screens.ts";

const { settleMs, inputLostAfterMs, blockedAfterMs, askAgainAfterMs, noResultAfterMs } = TURN_TIMINGS;
const start: Omit<TurnFacts, "screen"> = {
  sinceAskedMs: null,
  phase: "starting",
  unchangedMs: 0,
  sinceInputMs: null,
  submits: 0,
};
const ready: ClaudeScreen = { type: "ready", hasDraft: false, hasMessage: false, failure: null };

function check(facts: Partial<TurnFacts> & { screen: ClaudeScreen }, expected: Partial<Step>): void {
  expect(planStep({ ...start, ...facts }, TURN_TIMINGS)).toMatchObject(expected);
}

function checkDialog(text: string, keys: string[]): void {
  const screen = readClaudeScreen(screenOf(text));
  check({ screen }, { type: "press", keys });
  check({ screen, sinceInputMs: inputLostAfterMs - 1 }, { type: "wait" });
  check({ screen, sinceInputMs: inputLostAfterMs }, { type: "press", keys });
}

test("C4: Enter is pressed only on the wanted row, and never twice on one reading of a dialog", () => {
  checkDialog(trustDialog197, ["Enter"]);
  checkDialog(trustDialog329, ["Down"]);
  checkDialog(trustDialog329.replace("▮❯ No, exit\n   Yes", "  No, exit\n ▮❯ Yes"), ["Enter"]);
  checkDialog(apiKeyDialog, ["Up"]);
  checkDialog(bashPermission, ["Enter"]);
  checkDialog(autoModePermission, ["Up"]);
  checkDialog(bashPermission.replace("▮❯ 1.", "  1.").replace("  4. No", "▮❯ 4. No"), ["Up", "Up", "Up"]);
});

test("C4: log in and first-run set-up block at once, unknown dialogs after patience", () => {
  const picker = readClaudeScreen(screenOf(modelPicker));
  check({ screen: { type: "login" }, unchangedMs: settleMs - 1 }, { type: "wait" });
  check({ screen: { type: "login" }, unchangedMs: settleMs }, { type: "blocked" });
  check({ screen: { type: "theme" }, unchangedMs: settleMs }, { type: "blocked" });
  check({ screen: picker, unchangedMs: blockedAfterMs - 1 }, { type: "wait" });
  check({ screen: picker, unchangedMs: blockedAfterMs }, { type: "blocked" });
  const onlyNo = readClaudeScreen(screenOf(autoModePermission.replace("   Yes\n", "")));
  check({ screen: onlyNo, unchangedMs: blockedAfterMs }, { type: "blocked" });
  check({ screen: { type: "other" }, unchangedMs: blockedAfterMs }, { type: "blocked" });
  check({ phase: "working", screen: { type: "other" }, unchangedMs: blockedAfterMs }, { type: "wait" });
});

test("the prompt is pasted once the composer has settled", () => {
  check({ screen: ready, unchangedMs: settleMs - 1 }, { type: "wait" });
  check({ screen: ready, unchangedMs: settleMs }, { type: "paste-prompt" });
});

test("a submit counts when the composer emptied and the message or work shows; else it is repeated, a few times", () => {
  const submitted = { phase: "submitted", unchangedMs: settleMs, submits: 1 } as const;
  check(
    { ...submitted, screen: { type: "working", hasDraft: false } },
    { type: "enter-phase", phase: "working" },
  );
  check({ ...submitted, screen: { ...ready, hasMessage: true } }, { type: "enter-phase", phase: "working" });
  check({ ...submitted, screen: { ...ready, hasDraft: true }, sinceInputMs: 100 }, { type: "wait" });
  check({ ...submitted, screen: { ...ready, hasDraft: true } }, { type: "submit-again" });
  check({ ...submitted, screen: ready }, { type: "paste-prompt" });
  check({ ...submitted, screen: { ...ready, hasDraft: true }, submits: 4 }, { type: "blocked" });
});

test("a Turn looks ended when the composer is settled; without its result only after patience or a failure", () => {
  const working = { phase: "working", screen: { ...ready, hasMessage: true } } as const;
  check({ ...working, unchangedMs: settleMs - 1 }, { type: "wait" });
  check({ ...working, unchangedMs: settleMs }, { type: "turn-ended", isPatienceOver: false });
  check({ ...working, unchangedMs: settleMs, sinceAskedMs: askAgainAfterMs - 1 }, { type: "wait" });
  check({ ...working, unchangedMs: settleMs, sinceAskedMs: askAgainAfterMs }, { type: "turn-ended" });
  check({ ...working, unchangedMs: noResultAfterMs }, { type: "turn-ended", isPatienceOver: true });
  check(
    { phase: "working", screen: { ...ready, failure: "API Error: 500" }, unchangedMs: settleMs },
    { type: "turn-ended", isPatienceOver: true, failure: "API Error: 500" },
  );
  check(
    { phase: "working", screen: { type: "working", hasDraft: false }, unchangedMs: noResultAfterMs },
    { type: "wait" },
  );
});
