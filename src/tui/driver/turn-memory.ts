import { isTaken } from "../live/index.ts";
import type { TrackedState } from "../tracked-state.ts";
import { answerDialog } from "./dialog-policy.ts";
import type { SentText, Step, TurnFacts, TurnProgress } from "./turn-step.ts";

/** The driver's memory between two reads of the tracker. */
export interface TurnMemory {
  progress: TurnProgress;
  dismissals: number;
  /** Since when dialogs without a known answer have been shown; null: none is shown. */
  unansweredSinceMs: number | null;
  /** The surface that was shown when keys were sent, as JSON. It excludes the text, because a blinking dot is not an answer. */
  input: { reading: string; atMs: number } | null;
  /** The state in which the TUI was frozen after the last Enter; null: it was not. */
  frozen: TrackedState | null;
  /** The time of the last query for the result, and the end of the Turn it was for. */
  asked: { endMs: number | null; atMs: number } | null;
}

export const newTurn: TurnMemory = {
  progress: { type: "to-submit", text: "prompt", attempts: 0 },
  dismissals: 0,
  unansweredSinceMs: null,
  input: null,
  frozen: null,
  asked: null,
};

/** Returns the facts of a Turn at `nowMs`, on the tracker's time line. */
export function factsOf(
  memory: TurnMemory,
  state: TrackedState,
  { texts, nowMs }: { texts: Readonly<Record<SentText, string>>; nowMs: number },
): TurnFacts {
  const input = memory.input?.reading === readingOf(state) ? memory.input : null;
  const asked = memory.asked?.endMs === state.lastTurn.atMs ? memory.asked : null;
  return {
    state,
    unchangedMs: Math.max(0, nowMs - state.stability.stableSinceMs),
    progress: memory.progress,
    sinceInputMs: input === null ? null : nowMs - input.atMs,
    hasOurDraft: isDraft(texts[memory.progress.text], state),
    isFrozen: memory.frozen?.stability.signature === state.stability.signature,
    dismissals: memory.dismissals,
    unansweredMs: memory.unansweredSinceMs === null ? 0 : nowMs - memory.unansweredSinceMs,
    sinceAskedMs: asked === null ? null : nowMs - asked.atMs,
  };
}

/** Returns the memory with the present screen, before the next step is planned. */
export function afterLook(memory: TurnMemory, state: TrackedState, nowMs: number): TurnMemory {
  const { shows } = state.surface;
  const isUnanswered =
    shows.type === "menu" || (shows.type === "dialog" && answerDialog(shows.dialog).type === "blocked");
  const unansweredSinceMs = isUnanswered ? (memory.unansweredSinceMs ?? nowMs) : null;
  return { ...afterWaking(memory, state), unansweredSinceMs };
}

/**
 * Returns the memory after a TUI that was frozen after Enter has painted again: only now may it show that it has taken the text.
 */
function afterWaking(memory: TurnMemory, state: TrackedState): TurnMemory {
  const { progress, frozen } = memory;
  if (frozen === null || progress.type !== "to-submit" || !isTaken(state, frozen)) return memory;
  return { ...memory, frozen: null, progress: submitted(progress, frozen) };
}

function submitted({ text, attempts }: TurnProgress, { lastTurn }: TrackedState): TurnProgress {
  return { type: "submitted", text, attempts, endedBeforeMs: lastTurn.atMs };
}

function sentOnceMore({ text, attempts }: TurnProgress): TurnProgress {
  return { type: "to-submit", text, attempts: attempts + 1 };
}

/** A composer wraps its text and may show only its beginning. */
const COMPARED_CHARACTERS = 40;

function isDraft(text: string, { surface, evidence }: TrackedState): boolean {
  if (surface.editingInput !== "yes") return false;
  const shown = evidence.find(({ signal }) => signal === "editing_input")?.text ?? "";
  const bare = (one: string): string => one.replace(/\s+/g, "");
  return bare(shown).startsWith(bare(text).slice(0, COMPARED_CHARACTERS));
}

/** The result of sending a text. `unanswered`: the TUI has painted nothing since Enter, so it may have taken the text. */
export type SubmitEnd = "taken" | "lost" | "unanswered" | "refused";

/** Returns the memory with the result of sending a text. */
export function afterSubmit(
  memory: TurnMemory,
  { before, after }: { before: TrackedState; after: TrackedState },
  end: SubmitEnd,
): TurnMemory {
  const { progress } = memory;
  if (progress.type !== "to-submit" || end === "refused") return memory;
  const frozen = end === "unanswered" ? after : null;
  return end === "lost" || end === "unanswered"
    ? { ...memory, progress: sentOnceMore(progress), frozen }
    : { ...memory, progress: submitted(progress, before), frozen };
}

/** Returns the memory after a step was taken. */
export function afterStep(memory: TurnMemory, step: Step, state: TrackedState, nowMs: number): TurnMemory {
  const input = { reading: readingOf(state), atMs: nowMs };
  switch (step.type) {
    case "press":
      return { ...memory, input };
    case "dismiss":
      return { ...memory, input, dismissals: memory.dismissals + 1 };
    case "ask":
      return { ...memory, asked: { endMs: state.lastTurn.atMs, atMs: nowMs } };
    case "came-back":
      return { ...memory, progress: sentOnceMore(memory.progress) };
    case "remind":
      return { ...memory, progress: { type: "to-submit", text: "reminder", attempts: 0 } };
    case "wait":
    case "submit":
    case "submit-again":
    case "over":
    case "blocked":
      return memory;
    default:
      return step satisfies never;
  }
}

function readingOf({ surface }: TrackedState): string {
  return JSON.stringify(surface.shows);
}
