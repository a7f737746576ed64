import { expect, test } from "vitest";
import {
  answerDialog,
  claudeCodeProfiles,
  type Dialog,
  planStep,
  type Step,
  type Surface,
  type TrackedState,
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
} from "../claude-code/claude-screens.ts";

const { rowSettleMs, settleMs, inputLostAfterMs, dismissAfterMs, blockedAfterMs } = TURN_TIMINGS;
const { unknownDialogAfterMs, askAgainAfterMs, remindAfterMs, noResultAfterMs } = TURN_TIMINGS;

interface Shown {
  shows?: Surface;
  phase?: TrackedState["turn"]["phase"];
  editingInput?: "yes" | "no";
  lastTurn?: Partial<TrackedState["lastTurn"]>;
  availability?: "available" | "tui_down";
}

/** Returns the state of a composer at rest, with the given differences. */
function stateOf({
  shows = { type: "composer" },
  phase = "ready",
  editingInput = "no",
  lastTurn = {},
  availability = "available",
}: Shown): TrackedState {
  return {
    atMs: 0,
    diagnostics: { availability, probeError: null, parseError: null },
    surface: {
      shows,
      acceptingInput: shows.type === "composer" ? "yes" : "no",
      editingInput,
      readyPosture: "unknown",
      pendingInput: "no",
    },
    turn: { phase, activeReasons: [], isExplicitInputArmed: false },
    lastTurn: { result: "none", source: "none", error: null, atMs: null, ...lastTurn },
    stability: { signature: "", stableSinceMs: 0 },
    detector: { family: "claude_code", profile: "2.1.x", observedVersion: null, profileExtrapolated: false },
    evidence: [],
  };
}

type Given = Shown & Partial<Omit<TurnFacts, "state">>;

function check(given: Given, expected: Step, timings = TURN_TIMINGS): void {
  const { shows, phase, editingInput, lastTurn, availability, ...facts } = given;
  const shown = Object.entries({ shows, phase, editingInput, lastTurn, availability });
  const state = stateOf(Object.fromEntries(shown.filter(([, value]) => value !== undefined)));
  const start: TurnFacts = {
    state,
    unchangedMs: 0,
    progress: { type: "to-submit", text: "prompt", attempts: 0 },
    sinceInputMs: null,
    hasOurDraft: false,
    isFrozen: false,
    dismissals: 0,
    unansweredMs: 0,
    sinceAskedMs: null,
  };
  expect(planStep({ ...start, ...facts, state }, timings)).toEqual(expected);
}

/** Reads a dialog with Claude Code's own detector. */
function dialogOf(text: string): Dialog {
  const { visibleLines, ...rest } = screenOf(text, { title: "" });
  const screen = { ...rest, lines: visibleLines, cellsOf: () => [], programReport: null };
  const { surface } = (claudeCodeProfiles[0] ?? expect.unreachable()).create().detect(screen, 0);
  return surface.type === "dialog" ? surface.dialog : expect.unreachable(`a dialog, not ${surface.type}`);
}

function checkDialog(text: string, keys: string[], keysWhenLost = keys): void {
  const shows: Surface = { type: "dialog", dialog: dialogOf(text) };
  const seen = { shows, unchangedMs: rowSettleMs };
  check({ ...seen, unchangedMs: rowSettleMs - 1 }, { type: "wait" });
  check(seen, { type: "press", keys });
  check({ ...seen, sinceInputMs: inputLostAfterMs - 1 }, { type: "wait" });
  check({ ...seen, sinceInputMs: inputLostAfterMs }, { type: "press", keys: keysWhenLost });
}

test("Enter is pressed only on the wanted row, and never twice on one dialog, because the TUI may be slow (C4, H19)", () => {
  checkDialog(trustDialog197, ["Enter"], ["Down"]);
  checkDialog(trustDialog329, ["Down"]);
  checkDialog(trustDialog329.replace("▮❯ No, exit\n   Yes", "  No, exit\n ▮❯ Yes"), ["Enter"], ["Up"]);
  checkDialog(apiKeyDialog, ["Up"]);
  checkDialog(bashPermission, ["Enter"], ["Down"]);
  checkDialog(autoModePermission, ["Up"]);
  checkDialog(bashPermission.replace("▮❯ 1.", "  1.").replace("  4. No", "▮❯ 4. No"), ["Up", "Up", "Up"]);
});

const dialog = (kind: Dialog["kind"], ...choices: string[]): Dialog => ({
  kind,
  heading: "?",
  choices,
  selected: 0,
});

test("a permission is granted once, never for later requests (C4)", () => {
  const rows: [string[], number | null][] = [
    [["Yes", "Yes, and don’t ask again for: npm run *", "No"], 0],
    [["No", "Yes"], 1],
    [["Yes, and don't ask again this session", "Yes, allow once", "No"], 1],
    [["Yes, allow all edits during this session", "No"], null],
    [["Yes, and switch to auto mode", "No"], null],
    [["Yes, and do something that no version seen so far offers", "No"], null],
    [["Yes", "Yes", "No"], null],
    [["Always allow", "No"], null],
    [["No, and tell Claude what to do differently"], null],
  ];
  for (const [choices, index] of rows)
    expect([choices, answerDialog(dialog("permission", ...choices))]).toEqual([
      choices,
      index === null ? unknown : { type: "choose", index },
    ]);
});

test("a permission for an operation that Claude Code calls dangerous is refused (C4)", () => {
  const heading =
    "Bash command x rm -rf / Dangerous rm operation on critical path: / Do you want to proceed?";
  const check = (choices: string[], expected: object): void =>
    expect(answerDialog({ ...dialog("permission", ...choices), heading })).toEqual(expected);
  check(["Yes", "No"], { type: "choose", index: 1 });
  check(["Yes", "No, and tell Claude what to do differently (esc)"], { type: "choose", index: 1 });
  check(["Yes", "Cancel"], unknown);
});

const unknown = { type: "blocked", cause: "unknown-dialog", reason: expect.anything() as string } as const;
const stuck = { ...unknown, cause: "stuck" } as const;

test("the driver chooses by label in each known kind of dialog and refuses one without the wanted label (C4)", () => {
  const check = (asked: Dialog, expected: object): void => expect(answerDialog(asked)).toEqual(expected);
  check(dialog("trust", "No, exit", "Yes, I trust this folder"), { type: "choose", index: 1 });
  check(dialog("trust", "No, exit", "Yes"), unknown);
  check(dialog("add-directory", "No, exit", "Yes, add it"), { type: "choose", index: 1 });
  check(dialog("add-directory", "No, exit", "Yes, add it and remember"), unknown);
  check(dialog("api-key", "Yes", "No (recommended)"), { type: "choose", index: 0 });
  check(dialog("api-key", "Yes, for every project", "No (recommended)"), unknown);
  check(dialog("plan-exit", "Yes, and switch to default (ask each time) for this session", "No"), {
    type: "choose",
    index: 0,
  });
  check(dialog("plan-exit", "Yes, and auto-accept edits", "Yes, manually approve edits", "No"), {
    type: "choose",
    index: 1,
  });
  check(dialog("plan-exit", "Yes, and auto-accept edits", "No"), unknown);
  check(dialog("update", "Update now", "Not now"), { type: "choose", index: 1 });
  check(dialog("update", "Update now"), unknown);
  check(dialog("question", "Red", "Blue"), { type: "dismiss" });
  check(dialog("bypass-permissions", "No, exit", "Yes, I accept"), stuck);
  check(dialog("login", "Account"), stuck);
  check(dialog("theme", "Dark"), stuck);
  check(dialog("other", "Yes", "No"), unknown);
});

test("a question is refused with Esc a few times and then blocks; an unknown dialog gets no key (C4, C5)", () => {
  const question: Surface = { type: "dialog", dialog: dialog("question", "Red") };
  const other: Surface = { type: "dialog", dialog: dialogOf(modelPicker) };
  check({ shows: question, unchangedMs: settleMs - 1 }, { type: "wait" });
  check({ shows: question, unchangedMs: settleMs }, { type: "dismiss" });
  check(
    { shows: question, unchangedMs: settleMs, sinceInputMs: inputLostAfterMs - 1, dismissals: 1 },
    { type: "wait" },
  );
  check({ shows: question, unchangedMs: settleMs, dismissals: 3 }, { type: "wait" });
  check({ shows: question, unchangedMs: blockedAfterMs, dismissals: 3 }, stuck);
  check({ shows: other, unchangedMs: 1e9, unansweredMs: unknownDialogAfterMs - 1 }, { type: "wait" });
  // Its screen may keep changing, for example by a countdown or a blinking dot.
  check({ shows: other, unchangedMs: 0, unansweredMs: unknownDialogAfterMs }, unknown);
  const login: Surface = { type: "dialog", dialog: dialog("login", "Account") };
  check({ shows: login, unchangedMs: settleMs - 1 }, { type: "wait" });
  check({ shows: login, unchangedMs: settleMs }, stuck);
  check({ shows: { type: "other" }, phase: "unknown", unchangedMs: blockedAfterMs }, stuck);
  check({ shows: { type: "departed" }, phase: "unknown", unchangedMs: blockedAfterMs }, stuck);
  check({ availability: "tui_down", unchangedMs: blockedAfterMs }, { type: "wait" });
});

test("a question and an unknown dialog wait for a person for as long as the settings say (B9)", () => {
  const timings = { ...TURN_TIMINGS, personMs: 60_000 };
  const question: Surface = { type: "dialog", dialog: dialog("question", "Red") };
  check({ shows: question, unchangedMs: 59_999 }, { type: "wait" }, timings);
  check({ shows: question, unchangedMs: 60_000 }, { type: "dismiss" }, timings);
  const other: Surface = { type: "dialog", dialog: dialogOf(modelPicker) };
  check({ shows: other, unansweredMs: 59_999 }, { type: "wait" }, timings);
  check({ shows: other, unansweredMs: 60_000 }, unknown, timings);
});

test("a menu is closed with Esc after the first prompt; before it, the menu may be a new dialog (C4)", () => {
  const menu = { shows: { type: "menu" }, phase: "unknown" } as const;
  const later = { ...menu, progress: { type: "to-submit", text: "prompt", attempts: 1 } } as const;
  check({ ...later, unchangedMs: dismissAfterMs - 1 }, { type: "wait" });
  check({ ...later, unchangedMs: dismissAfterMs }, { type: "dismiss" });
  check({ ...later, unchangedMs: blockedAfterMs, dismissals: 3 }, stuck);
  check({ ...menu, unchangedMs: 1e9, unansweredMs: unknownDialogAfterMs - 1 }, { type: "wait" });
  check({ ...menu, unansweredMs: unknownDialogAfterMs }, unknown);
  check({ ...menu, phase: "active", unansweredMs: 1e9 }, { type: "wait" });
});

test("a prompt is submitted only through an open gate, and a draft is submitted again only if it is ours (H39)", () => {
  const lost = { type: "to-submit", text: "prompt", attempts: 1 } as const;
  const settled = { unchangedMs: settleMs };
  check({ unchangedMs: settleMs - 1 }, { type: "wait" });
  check(settled, { type: "submit", text: "prompt" });
  check({ ...settled, phase: "active" }, { type: "wait" });
  check({ ...settled, phase: "unknown" }, { type: "wait" });
  check({ ...settled, editingInput: "yes" }, { type: "wait" });
  check({ ...settled, progress: lost }, { type: "submit", text: "prompt" });
  const ours = { editingInput: "yes", hasOurDraft: true } as const;
  check({ ...settled, progress: lost, ...ours }, { type: "submit-again" });
  check({ ...settled, progress: lost, editingInput: "yes" }, { type: "wait" });
  // It may have taken the first Enter, and would read the second one at its next dialog.
  check({ ...settled, progress: lost, ...ours, isFrozen: true }, { type: "wait" });
  check({ unchangedMs: blockedAfterMs, progress: lost, ...ours, isFrozen: true }, stuck);
  check(
    { ...settled, progress: { ...lost, attempts: 4 }, ...ours },
    { type: "blocked", cause: "stuck", reason: "its input box, which did not take the prompt" },
  );
});

test("a Turn is over when its end and its result are there, or without a result after a reminder (C14)", () => {
  const submitted = { type: "submitted", text: "prompt", attempts: 0, endedBeforeMs: 5 } as const;
  const reminded = { ...submitted, text: "reminder" } as const;
  const done = { result: "success", atMs: 9 } as const;
  check({ progress: submitted, lastTurn: done }, { type: "ask" });
  check({ progress: submitted, lastTurn: done, sinceAskedMs: askAgainAfterMs - 1 }, { type: "wait" });
  check({ progress: submitted, lastTurn: done, sinceAskedMs: askAgainAfterMs }, { type: "ask" });
  check({ progress: submitted, lastTurn: done, phase: "active", unchangedMs: 1e9 }, { type: "wait" });
  check({ progress: submitted, lastTurn: { ...done, result: "interrupted" } }, { type: "ask" });
  // Idle without a seen end, or with the end of the previous Turn, proves nothing, so the result is not queried.
  check({ progress: submitted, lastTurn: { ...done, atMs: 5 } }, { type: "wait" });
  check({ progress: submitted, unchangedMs: remindAfterMs - 1 }, { type: "wait" });
  // Interrupted before the TUI began: the prompt is moved back into the composer.
  check({ progress: submitted, hasOurDraft: true, unchangedMs: settleMs - 1 }, { type: "wait" });
  check({ progress: submitted, hasOurDraft: true, unchangedMs: settleMs }, { type: "came-back" });
  const patient = { unchangedMs: remindAfterMs, sinceAskedMs: 0 };
  check({ progress: submitted, lastTurn: { ...done, atMs: 5 }, ...patient }, { type: "remind" });
  check({ progress: submitted, lastTurn: done, ...patient }, { type: "remind" });
  check({ progress: reminded, lastTurn: done, ...patient }, { type: "wait" });
  check(
    { progress: reminded, lastTurn: done, sinceAskedMs: 0, unchangedMs: noResultAfterMs },
    { type: "over", failure: null },
  );
  const failed = { result: "known_failure", error: "API Error: 401", atMs: 9 } as const;
  check({ progress: submitted, lastTurn: failed, unchangedMs: settleMs - 1 }, { type: "wait" });
  check(
    { progress: submitted, lastTurn: failed, unchangedMs: settleMs },
    { type: "over", failure: "API Error: 401" },
  );
});
