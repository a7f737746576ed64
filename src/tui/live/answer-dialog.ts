import { OperationalError } from "agent-tty/kit";
import type { Dialog } from "../signals.ts";
import type { TrackedState } from "../tracked-state.ts";
import type { SendErrorCode } from "../tracker/index.ts";
import type { LiveTracker } from "./live-tracker.ts";
import type { TuiInput } from "./tui-source.ts";

/** A person's answer: the dialog that the person saw, and the index of the chosen row. */
export interface ChosenAnswer {
  dialog: Pick<Dialog, "kind" | "heading" | "choices">;
  choice: number;
}

export type AnswerRefusal = "not-available" | "screen-changed" | "no-row-selected" | "row-not-reached";

export type AnswerStep =
  | { type: "press"; keys: readonly string[] }
  /** The chosen row is selected: Enter takes it. */
  | { type: "take" }
  | { type: "refused"; reason: AnswerRefusal };

export type AnswerResult = { type: "sent" } | { type: "refused"; reason: AnswerRefusal; remedy: string };

/** The time, in milliseconds, that the TUI may take to move its selected row, or to leave the dialog. */
const MOVE_MS = 2_000;
const LEAVE_MS = 5_000;
const ATTEMPTS = 3;

const REMEDIES: Record<AnswerRefusal, string> = {
  "not-available": "check that the TUI runs in this terminal, and try again when its state is available",
  "screen-changed": "look at what the terminal asks now, and answer that",
  "no-row-selected": "attach to the terminal and answer the dialog there: it marks no row",
  "row-not-reached":
    "attach to the terminal and answer the dialog there: its rows did not follow the arrow keys",
};

/**
 * Returns the next keys of a person's answer from the board (B9). Only the dialog that the person saw is answered, and Enter is
 * planned only when the screen shows the chosen row as selected.
 */
export function planAnswer(
  { diagnostics, surface: { shows } }: Pick<TrackedState, "diagnostics" | "surface">,
  { dialog, choice }: ChosenAnswer,
): AnswerStep {
  if (diagnostics.availability !== "available") return { type: "refused", reason: "not-available" };
  if (shows.type !== "dialog" || !isSame(shows.dialog, dialog) || shows.dialog.choices[choice] === undefined)
    return { type: "refused", reason: "screen-changed" };
  const { selected } = shows.dialog;
  if (selected === null) return { type: "refused", reason: "no-row-selected" };
  if (selected === choice) return { type: "take" };
  const key = choice < selected ? "Up" : "Down";
  return { type: "press", keys: Array.from({ length: Math.abs(choice - selected) }, () => key) };
}

/**
 * Answers the dialog on the screen with the row that a person chose (B9). Resolves with `refused` when the dialog was not
 * answered. Rejects with TUI_SUBMIT_LOST when Enter was pressed and the screen did not change.
 */
export async function answerShownDialog(
  answer: ChosenAnswer,
  { tracker, input, signal }: { tracker: LiveTracker; input: TuiInput; signal: AbortSignal },
): Promise<AnswerResult> {
  for (let attempt = 0; attempt <= ATTEMPTS; attempt += 1) {
    // The screen is read again directly before any key, because another question may have appeared.
    const state = await tracker.refresh();
    const step = planAnswer(state, answer);
    if (step.type === "refused") return refused(step.reason);
    if (step.type === "take") {
      await input.sendKeys(["Enter"]);
      const { signature } = state.stability;
      if ((await tracker.until((now) => now.stability.signature !== signature, LEAVE_MS, signal)) === null)
        throw lost(state);
      return { type: "sent" };
    }
    if (attempt === ATTEMPTS) break;
    await input.sendKeys(step.keys);
    await tracker.until((now) => planAnswer(now, answer).type !== "press", MOVE_MS, signal);
  }
  return refused("row-not-reached");
}

function refused(reason: AnswerRefusal): AnswerResult {
  return { type: "refused", reason, remedy: REMEDIES[reason] };
}

function isSame(shown: Dialog, seen: ChosenAnswer["dialog"]): boolean {
  return (
    shown.kind === seen.kind &&
    shown.heading === seen.heading &&
    JSON.stringify(shown.choices) === JSON.stringify(seen.choices)
  );
}

function lost({ detector, evidence }: TrackedState): OperationalError<SendErrorCode> {
  return new OperationalError<SendErrorCode>({
    code: "TUI_SUBMIT_LOST",
    message: `Enter was pressed in the dialog of ${detector.family}, but the screen did not change`,
    remedy: "look at the terminal before answering again",
    details: { evidence },
  });
}
