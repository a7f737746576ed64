import type { Dialog } from "../signals.ts";
import { sendGate } from "../tracker/index.ts";
import { answerDialog } from "./dialog-policy.ts";
import { judgeTurn } from "./judge-turn.ts";
import type { Step, TurnFacts, TurnProgress, TurnTimings } from "./turn-step.ts";

const ATTEMPTS_MAX = 4;
const DISMISSALS_MAX = 3;

/** Returns the next step, from the facts about the TUI. Input is planned only for a screen that expects it. */
export function planStep(facts: TurnFacts, timings: TurnTimings): Step {
  const { diagnostics, surface } = facts.state;
  // The program's exit and the Session's end are reported elsewhere.
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
      return planDismissal(
        facts,
        Math.max(timings.settleMs, timings.personMs),
        "a question that Esc does not refuse",
        timings,
      );
    case "blocked":
      return answer.cause === "unknown-dialog"
        ? planUnknownDialog(facts, answer.reason, timings)
        : blockAfter(facts, timings.settleMs, answer.reason);
    default:
      return answer satisfies never;
  }
}

/**
 * Returns the step for a dialog without a known answer: wait for a person, then block the Turn. Neither Enter nor Esc is pressed,
 * because in Claude Code 2.1.330 either may mean "No, exit".
 */
function planUnknownDialog({ unansweredMs }: TurnFacts, reason: string, timings: TurnTimings): Step {
  return unansweredMs >= Math.max(timings.unknownDialogAfterMs, timings.personMs)
    ? { type: "blocked", cause: "unknown-dialog", reason }
    : { type: "wait" };
}

/**
 * Returns the step for a menu. Before the first prompt our input cannot have opened a menu, so that menu may be a dialog of a new
 * version.
 */
function planMenu(facts: TurnFacts, timings: TurnTimings): Step {
  const { progress, state } = facts;
  if (state.turn.phase === "active") return { type: "wait" };
  const isAtStart = progress.type === "to-submit" && progress.text === "prompt" && progress.attempts === 0;
  return isAtStart
    ? planUnknownDialog(facts, "a menu that it opened by itself", timings)
    : planDismissal(facts, timings.dismissAfterMs, "a menu that Esc does not close", timings);
}

/**
 * Returns the keys that take the wanted row. Enter is returned only when the screen shows that row as selected, because arrow
 * keys may be lost. Enter is never pressed twice on one dialog, because a slow TUI would take the second Enter as the answer to
 * its next question. Instead, an arrow key shows whether Enter was lost: only then does the selected row change.
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

/**
 * Returns the step that submits the text. It submits only through an open send gate (H39), or if the draft in the composer is
 * ours. A frozen TUI gets no second Enter, because the Enter would answer the TUI's next dialog.
 */
function planSubmit(facts: TurnFacts, { text, attempts }: ToSubmit, timings: TurnTimings): Step {
  if (facts.unchangedMs < timings.settleMs) return { type: "wait" };
  const gate = sendGate(facts.state);
  const isOurDraft = gate.type === "closed" && gate.reason === "draft-in-composer" && facts.hasOurDraft;
  if (gate.type === "closed" && !isOurDraft)
    return blockWhenStuck(facts, timings, `its input box: no prompt can be sent (${gate.reason})`);
  if (facts.isFrozen)
    return blockWhenStuck(facts, timings, "its input box, on which it has painted nothing since Enter");
  if (attempts >= ATTEMPTS_MAX)
    return { type: "blocked", cause: "stuck", reason: "its input box, which did not take the prompt" };
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
