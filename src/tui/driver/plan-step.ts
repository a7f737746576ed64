import type { Dialog } from "../signals.ts";
import type { TrackedState } from "../tracked-state.ts";
import { sendGate } from "../tracker/index.ts";
import { answerDialog } from "./dialog-policy.ts";
import { judgeTurn } from "./judge-turn.ts";
import type { BlockCause } from "./tui-turn.ts";

/** What is sent to the TUI: first the prompt, and once the reminder if its Turn left no result. */
export type SentText = "prompt" | "reminder";

export type TurnProgress =
  | { type: "to-submit"; text: SentText; attempts: number }
  /** `endedBeforeMs`: when the Turn before it had ended, to tell its end from this one's. */
  | { type: "submitted"; text: SentText; attempts: number; endedBeforeMs: number | null };

export interface TurnFacts {
  state: TrackedState;
  /** How long nothing that is told of the terminal has changed. */
  unchangedMs: number;
  progress: TurnProgress;
  /** For how long dialogs without a known answer have been shown, whatever else on the screen changes. */
  unansweredMs: number;
  /** Since keys were sent that left the same thing on the screen; null when none were. */
  sinceInputMs: number | null;
  /** The composer holds the text that is being sent, or was: its submit was lost, or it came back. */
  hasOurDraft: boolean;
  /** How often Esc was pressed to be rid of something. */
  dismissals: number;
  /** Since the Turn's result was last asked for; null when it was not asked for since its end. */
  sinceAskedMs: number | null;
}

export type Step =
  | { type: "wait" }
  | { type: "press"; keys: readonly string[] }
  | { type: "dismiss" }
  | { type: "submit"; text: SentText }
  /** The text stands in the composer: its submit was lost, or it came back. */
  | { type: "submit-again" }
  /** The Turn has ended: see whether its result is there. */
  | { type: "ask" }
  /** What was taken stands in the composer again: it was interrupted before the TUI began. */
  | { type: "came-back" }
  /** Its Turn left nothing, and it has not been reminded yet. */
  | { type: "remind" }
  /** `failure`: the error that ended the Turn, in the TUI's words. */
  | { type: "over"; failure: string | null }
  | { type: "blocked"; cause: BlockCause; reason: string };

export interface TurnTimings {
  /** The selected row of a dialog is believed once nothing has moved for this long. */
  rowSettleMs: number;
  /** A composer, a log-in or a question is believed once it has stood still this long. */
  settleMs: number;
  /** Keys sent on a screen that does not change are taken as lost after this long. */
  inputLostAfterMs: number;
  /** A menu over the composer is dismissed after this long. */
  dismissAfterMs: number;
  /** A dialog that has no known answer ends the Turn after this long: a frame that is half painted is gone by then. */
  unknownDialogAfterMs: number;
  /** What nothing helps against blocks the Turn after this long. */
  blockedAfterMs: number;
  /** The result is asked for again after this long: each time is a round trip to the Coder workspace. */
  askAgainAfterMs: number;
  /** A Turn without its result is reminded of it after this long: a background shell may still resume it. */
  remindAfterMs: number;
  /** And after the reminder it is over after this long. */
  noResultAfterMs: number;
  /** A text that was sent is taken as lost when the TUI has shown nothing of it after this long. */
  confirmMs: number;
  /** The plan is made anew this often even if nothing changes: patience runs out by time. */
  planAgainMs: number;
}

export const TURN_TIMINGS: TurnTimings = {
  rowSettleMs: 250,
  settleMs: 1_000,
  inputLostAfterMs: 5_000,
  dismissAfterMs: 10_000,
  unknownDialogAfterMs: 5_000,
  blockedAfterMs: 90_000,
  askAgainAfterMs: 5_000,
  remindAfterMs: 20_000,
  noResultAfterMs: 60_000,
  confirmMs: 5_000,
  planAgainMs: 500,
};

const ATTEMPTS_MAX = 4;
const DISMISSALS_MAX = 3;

/** What to do next about what is known of the TUI. Input is only ever planned for a screen that wants it. */
export function planStep(facts: TurnFacts, timings: TurnTimings): Step {
  const { diagnostics, surface } = facts.state;
  // The program's own end, and that of its Session, are told by others.
  if (diagnostics.availability !== "available") return { type: "wait" };
  const { shows } = surface;
  switch (shows.type) {
    case "dialog":
      return planDialog(facts, shows.dialog, timings);
    case "menu":
      return planMenu(facts, timings);
    case "composer":
      return facts.progress.type === "to-submit"
        ? planSubmit(facts, facts.progress, timings)
        : judgeTurn(facts, facts.progress, timings);
    case "departed":
      return blockWhenStuck(facts, timings, "its shell: the TUI has left the terminal and not ended");
    case "starting":
    case "other":
      return facts.progress.type === "to-submit"
        ? blockWhenStuck(facts, timings, "its start: its input box never showed")
        : { type: "wait" };
    default:
      return shows satisfies never;
  }
}

function planDialog(facts: TurnFacts, dialog: Dialog, timings: TurnTimings): Step {
  const answer = answerDialog(dialog);
  switch (answer.type) {
    case "choose":
      if (isInputPending(facts, timings) || facts.unchangedMs < timings.rowSettleMs) return { type: "wait" };
      return dialog.selected === null
        ? blockWhenStuck(facts, timings, `a dialog that marks no row: ${dialog.heading}`)
        : { type: "press", keys: keysToTake(dialog, dialog.selected, answer.index, facts) };
    case "dismiss":
      return planDismissal(facts, timings.settleMs, "a question that Esc does not refuse", timings);
    case "blocked":
      return answer.cause === "unknown-dialog"
        ? planUnknownDialog(facts, answer.reason, timings)
        : blockAfter(facts, timings.settleMs, answer.reason);
    default:
      return answer satisfies never;
  }
}

/** Neither Enter nor Esc: in Claude Code 2.1.330 either of them may mean "No, exit". */
function planUnknownDialog({ unansweredMs }: TurnFacts, reason: string, timings: TurnTimings): Step {
  return unansweredMs >= timings.unknownDialogAfterMs
    ? { type: "blocked", cause: "unknown-dialog", reason }
    : { type: "wait" };
}

/** Before the first prompt nothing of ours can have opened a menu: what looks like one may be a dialog of a new version. */
function planMenu(facts: TurnFacts, timings: TurnTimings): Step {
  const { progress, state } = facts;
  if (state.turn.phase === "active") return { type: "wait" };
  const isAtStart = progress.type === "to-submit" && progress.text === "prompt" && progress.attempts === 0;
  return isAtStart
    ? planUnknownDialog(facts, "a menu that it opened by itself", timings)
    : planDismissal(facts, timings.dismissAfterMs, "a menu that Esc does not close", timings);
}

/**
 * Enter only once the wanted row is seen selected: the arrows may be lost. Enter itself is never pressed twice on one
 * dialog: a TUI that is merely slow would take the second one for its next question. An arrow tells: the row moves only
 * where Enter was lost.
 */
function keysToTake(
  { choices }: Dialog,
  selected: number,
  wanted: number,
  { sinceInputMs }: TurnFacts,
): string[] {
  if (selected === wanted) {
    const isEnterLost = sinceInputMs !== null && choices.length > 1;
    return [isEnterLost ? (wanted === 0 ? "Down" : "Up") : "Enter"];
  }
  const key = wanted < selected ? "Up" : "Down";
  return Array.from({ length: Math.abs(wanted - selected) }, () => key);
}

function planDismissal(facts: TurnFacts, patienceMs: number, reason: string, timings: TurnTimings): Step {
  if (facts.dismissals >= DISMISSALS_MAX) return blockWhenStuck(facts, timings, reason);
  if (facts.unchangedMs < patienceMs || isInputPending(facts, timings)) return { type: "wait" };
  return { type: "dismiss" };
}

type ToSubmit = Extract<TurnProgress, { type: "to-submit" }>;

/** H39: only through an open gate; a draft in the composer is submitted where it is our own. */
function planSubmit(facts: TurnFacts, { text, attempts }: ToSubmit, timings: TurnTimings): Step {
  if (facts.unchangedMs < timings.settleMs) return { type: "wait" };
  const gate = sendGate(facts.state);
  const isOurDraft = gate.type === "closed" && gate.reason === "draft-in-composer" && facts.hasOurDraft;
  if (gate.type === "closed" && !isOurDraft)
    return blockWhenStuck(facts, timings, `its input box: no prompt can be sent (${gate.reason})`);
  if (attempts >= ATTEMPTS_MAX)
    return { type: "blocked", cause: "stuck", reason: "its input box: it did not take the prompt" };
  return isOurDraft ? { type: "submit-again" } : { type: "submit", text };
}

function isInputPending({ sinceInputMs }: TurnFacts, timings: TurnTimings): boolean {
  return sinceInputMs !== null && sinceInputMs < timings.inputLostAfterMs;
}

function blockWhenStuck(facts: TurnFacts, timings: TurnTimings, reason: string): Step {
  return blockAfter(facts, timings.blockedAfterMs, reason);
}

function blockAfter({ unchangedMs }: TurnFacts, patienceMs: number, reason: string): Step {
  return unchangedMs >= patienceMs ? { type: "blocked", cause: "stuck", reason } : { type: "wait" };
}
