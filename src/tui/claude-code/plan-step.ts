import type { Dialog } from "../signals.ts";
import { keysToSelect } from "./choices.ts";
import type { ClaudeScreen } from "./claude-screen.ts";

/** How far the one Turn of a Triage Run is. */
export type TurnPhase = "starting" | "submitted" | "working";

export interface TurnFacts {
  phase: TurnPhase;
  screen: ClaudeScreen;
  /** How long the visible text has not changed. */
  unchangedMs: number;
  /** Since keys were sent that left the screen reading the same; null when none were. */
  sinceInputMs: number | null;
  /** How often the prompt was pasted or submitted. */
  submits: number;
  /** Since the Turn's result was last asked for on this unchanged screen; null when it was not. */
  sinceAskedMs: number | null;
}

export type Step =
  | { type: "wait" }
  | { type: "press"; keys: readonly string[] }
  /** Pastes the prompt and submits it. */
  | { type: "paste-prompt" }
  /** The composer still holds the prompt: the submit was lost. */
  | { type: "submit-again" }
  | { type: "enter-phase"; phase: TurnPhase }
  /** The Turn looks ended: ask whether its result is there. `isPatienceOver` ends it without one. */
  | { type: "turn-ended"; failure: string | null; isPatienceOver: boolean }
  | { type: "blocked"; reason: string };

export interface TurnTimings {
  /** A screen is believed once it has been still this long. */
  settleMs: number;
  /** Keys sent on a screen that does not change are taken as lost after this long. */
  inputLostAfterMs: number;
  /** A dialog without an answer, or a start without a composer, blocks the Turn after this long. */
  blockedAfterMs: number;
  /** The result is asked for again after this long: each time is a round trip to the Coder workspace. */
  askAgainAfterMs: number;
  /** A completed Turn without its result is accepted as such after this long: a background shell may still resume it. */
  noResultAfterMs: number;
}

export const TURN_TIMINGS: TurnTimings = {
  settleMs: 1_000,
  inputLostAfterMs: 5_000,
  blockedAfterMs: 90_000,
  askAgainAfterMs: 5_000,
  noResultAfterMs: 60_000,
};

const SUBMITS_MAX = 4;

/** What to do next about one screen. Input is only ever planned for a screen that was read as wanting it. */
export function planStep(facts: TurnFacts, timings: TurnTimings): Step {
  const { screen, phase } = facts;
  switch (screen.type) {
    case "login":
      return blockWhenSettled(facts, timings, "Claude Code asks to log in: it found no model credential");
    case "theme":
      return blockWhenSettled(facts, timings, "Claude Code shows its first-run set-up (theme)");
    case "trust-dialog":
      return answer(facts, timings, screen.dialog, [/\btrust this folder\b/i]);
    case "api-key-dialog":
      return answer(facts, timings, screen.dialog, [/^Yes\b/i]);
    case "permission-dialog":
      return answer(facts, timings, screen.dialog, [
        /^Yes$/i,
        /^(?:Yes|Allow)(?!.*(?:\balways|\bask again|\bauto mode))/i,
      ]);
    case "other-dialog":
      return blockWhenStuck(
        facts,
        timings,
        `Claude Code shows a dialog without a known answer: ${screen.dialog.heading}`,
      );
    case "working":
      return phase === "submitted" ? { type: "enter-phase", phase: "working" } : { type: "wait" };
    case "ready":
      return planReady(facts, screen, timings);
    case "other":
      return phase === "starting"
        ? blockWhenStuck(facts, timings, "Claude Code did not show its input box")
        : { type: "wait" };
    default:
      return screen satisfies never;
  }
}

type ReadyScreen = Extract<ClaudeScreen, { type: "ready" }>;

function planReady(facts: TurnFacts, screen: ReadyScreen, timings: TurnTimings): Step {
  if (facts.unchangedMs < timings.settleMs) return { type: "wait" };
  switch (facts.phase) {
    case "starting":
      return { type: "paste-prompt" };
    case "submitted":
      return planSubmitted(facts, screen, timings);
    case "working":
      return planEnd(facts, screen, timings);
    default:
      return facts.phase satisfies never;
  }
}

function planEnd(facts: TurnFacts, { failure }: ReadyScreen, timings: TurnTimings): Step {
  const isPatienceOver = failure !== null || facts.unchangedMs >= timings.noResultAfterMs;
  const isAskedAlready = facts.sinceAskedMs !== null && facts.sinceAskedMs < timings.askAgainAfterMs;
  return isAskedAlready && !isPatienceOver
    ? { type: "wait" }
    : { type: "turn-ended", failure, isPatienceOver };
}

/** Confirms that the composer took the prompt and emptied. A short Turn may be over before work was ever seen. */
function planSubmitted(facts: TurnFacts, screen: ReadyScreen, timings: TurnTimings): Step {
  if (!screen.hasDraft && screen.hasMessage) return { type: "enter-phase", phase: "working" };
  if (isInputPending(facts, timings)) return { type: "wait" };
  if (facts.submits >= SUBMITS_MAX)
    return { type: "blocked", reason: "Claude Code did not take the prompt that was typed" };
  return screen.hasDraft ? { type: "submit-again" } : { type: "paste-prompt" };
}

/** Selects by label, never by position: which row is preselected differs between versions. */
function answer(
  facts: TurnFacts,
  timings: TurnTimings,
  { choices, selected }: Dialog,
  wanted: readonly RegExp[],
): Step {
  if (isInputPending(facts, timings)) return { type: "wait" };
  const index = wanted
    .map((pattern) => choices.findIndex((label) => pattern.test(label)))
    .find((found) => found !== -1);
  if (index === undefined || selected === null)
    return blockWhenStuck(facts, timings, `Claude Code offers no row to allow: ${choices.join(" / ")}`);
  const keys = keysToSelect(selected, index);
  return { type: "press", keys: keys.length > 0 ? keys : ["Enter"] };
}

function isInputPending({ sinceInputMs }: TurnFacts, timings: TurnTimings): boolean {
  return sinceInputMs !== null && sinceInputMs < timings.inputLostAfterMs;
}

function blockWhenSettled(facts: TurnFacts, timings: TurnTimings, reason: string): Step {
  return facts.unchangedMs >= timings.settleMs ? { type: "blocked", reason } : { type: "wait" };
}

function blockWhenStuck(facts: TurnFacts, timings: TurnTimings, reason: string): Step {
  return facts.unchangedMs >= timings.blockedAfterMs ? { type: "blocked", reason } : { type: "wait" };
}
