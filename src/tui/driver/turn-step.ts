import { TRACKER_DEFAULTS } from "../tracker/index.ts";
import type { TrackedState } from "../tracked-state.ts";

/** The texts sent to the TUI: the prompt, then one reminder if the Turn left no result. */
export type SentText = "prompt" | "reminder";

export type TurnProgress =
  | { type: "to-submit"; text: SentText; attempts: number }
  /** `endedBeforeMs`: the end of the previous Turn, to distinguish it from this Turn's. */
  | { type: "submitted"; text: SentText; attempts: number; endedBeforeMs: number | null };

export interface TurnFacts {
  state: TrackedState;
  /** The time since the last change of the published state. */
  unchangedMs: number;
  progress: TurnProgress;
  /** The time that dialogs without a known answer have been shown, even if the rest of the screen changes. */
  unansweredMs: number;
  /** The time since keys were sent without a change of the screen; null when none were. */
  sinceInputMs: number | null;
  /** Whether the composer contains the text that is being sent: its submit was lost, or it was put back. */
  hasOurDraft: boolean;
  /** Whether the TUI has painted nothing since the last Enter, so that it may have taken the text. */
  isFrozen: boolean;
  /** The number of times Esc was pressed to close something. */
  dismissals: number;
  /** The time since the last query for the Turn's result; null if there was no query since its end. */
  sinceAskedMs: number | null;
}

export type Step =
  | { type: "wait" }
  | { type: "press"; keys: readonly string[] }
  | { type: "dismiss" }
  | { type: "submit"; text: SentText }
  /** Submits again the text in the composer: its submit was lost, or it was put back. */
  | { type: "submit-again" }
  /** The Turn has ended: query its result. */
  | { type: "ask" }
  /** The text is in the composer again: it was interrupted before the TUI began. */
  | { type: "came-back" }
  /** The Turn left no result, and the reminder was not sent yet. */
  | { type: "remind" }
  /** `failure`: the error that ended the Turn, in the TUI's words. */
  | { type: "over"; failure: string | null }
  | { type: "blocked"; cause: BlockCause; reason: string };

export interface TurnTimings {
  /** The selected row of a dialog is acted on after nothing has changed for this long. */
  rowSettleMs: number;
  /** A composer, a log-in or a question is acted on after it has not changed for this long. */
  settleMs: number;
  /** Keys without any effect on the screen count as lost after this long. */
  inputLostAfterMs: number;
  /** A menu over the composer is closed after this long. */
  dismissAfterMs: number;
  /** A dialog without a known answer ends the Turn after this long; a half-painted frame has disappeared by then. */
  unknownDialogAfterMs: number;
  /**
   * A question, and a dialog without a known answer, wait at least this long for a person's answer; 0: do not wait for a person.
   */
  personMs: number;
  /** A screen that no step changes blocks the Turn after this long. */
  blockedAfterMs: number;
  /** The interval between queries for the result; each is a round trip to the Coder workspace. */
  askAgainAfterMs: number;
  /** A Turn without a result gets the reminder after this long; a background shell may still resume it. */
  remindAfterMs: number;
  /** The Turn is over this long after the reminder. */
  noResultAfterMs: number;
  /** A sent text counts as lost when the TUI has not shown it after this long. */
  confirmMs: number;
  /** The same while the TUI has painted nothing since Enter. */
  frozenMs: number;
  /** The next step is planned again at this interval even if nothing changes, because limits depend on time. */
  planAgainMs: number;
}

export const TURN_TIMINGS: TurnTimings = {
  rowSettleMs: 250,
  settleMs: 1_000,
  inputLostAfterMs: 5_000,
  dismissAfterMs: 10_000,
  unknownDialogAfterMs: 5_000,
  personMs: 0,
  blockedAfterMs: 90_000,
  askAgainAfterMs: 5_000,
  remindAfterMs: 20_000,
  noResultAfterMs: 60_000,
  confirmMs: 5_000,
  frozenMs: TRACKER_DEFAULTS.finalRecoveryMs,
  planAgainMs: 500,
};

/**
 * `unknown-dialog`: this version shows a dialog without a known answer, so it affects every run with this version.
 * `stuck`: any other obstacle that cannot be removed here, such as a missing credential.
 */
export type BlockCause = "unknown-dialog" | "stuck";
