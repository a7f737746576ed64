import { type Clock, OperationalError } from "agent-tty/kit";
import type { TrackedState } from "../tracked-state.ts";
import { type SendErrorCode, sendGate, sendRefused, TRACKER_DEFAULTS } from "../tracker/index.ts";
import type { LiveTracker } from "./live-tracker.ts";
import type { TuiInput } from "./tui-source.ts";

export interface PromptSubmit {
  tracker: LiveTracker;
  input: TuiInput;
  clock: Clock;
  text: string;
  signal?: AbortSignal;
  timings?: Partial<SubmitTimings>;
}

export interface SubmitTimings {
  /** The pause between the paste and Enter, because some versions treat an immediate Enter as a line break. */
  afterPasteMs: number;
  /** The time that the composer may take to show the paste, and then to empty, or work to begin. */
  confirmMs: number;
  /** The same while the TUI has painted nothing since Enter: it may have taken the prompt and be frozen. */
  frozenMs: number;
}

const TIMINGS: SubmitTimings = {
  afterPasteMs: 150,
  confirmMs: 5_000,
  frozenMs: TRACKER_DEFAULTS.finalRecoveryMs,
};

/**
 * Sends a prompt as one bracketed paste through the send gate (H39) and confirms that it was taken, which marks the start of a
 * Turn (H1). Resolves with the state that shows it. Rejects with TUI_NOT_READY when nothing was sent, or with TUI_SUBMIT_LOST
 * when the prompt may still be in the composer.
 */
export async function submitPrompt(submit: PromptSubmit): Promise<TrackedState> {
  const { tracker, input, clock, text, signal } = submit;
  const timings = { ...TIMINGS, ...submit.timings };
  requireOpen(await tracker.refresh());
  await input.paste(text);
  await clock.sleep(timings.afterPasteMs, signal);
  // A busy TUI reads the paste late, and would read Enter together with it.
  await tracker.until(
    ({ surface }) => surface.shows.type !== "composer" || surface.editingInput !== "no",
    timings.confirmMs,
    signal,
  );
  return submitDraft({ tracker, input, clock, ...(signal === undefined ? {} : { signal }), timings });
}

/**
 * Submits the text in the composer and resolves with the state that shows that it was taken. Rejects with TUI_SUBMIT_LOST; its
 * detail `isFrozen` says that the TUI has painted nothing since Enter.
 */
export async function submitDraft(submit: Omit<PromptSubmit, "text">): Promise<TrackedState> {
  const { tracker, input, signal } = submit;
  const timings = { ...TIMINGS, ...submit.timings };
  const draft = await tracker.refresh();
  // A dialog may have appeared in the meantime, and Enter would answer it.
  if (draft.surface.shows.type !== "composer") throw lost(draft, "something else than the composer came up");
  const before = tracker.noteSubmit();
  await input.sendKeys(["Enter"]);
  const take = (timeoutMs: number): Promise<TrackedState | null> =>
    tracker.until((state) => isTaken(state, before), timeoutMs, signal);
  const taken =
    (await take(timings.confirmMs)) ??
    (isFrozen(tracker.state, draft) ? await take(timings.frozenMs - timings.confirmMs) : null);
  if (taken !== null) return taken;
  const seen = "the composer did not empty and no work began";
  throw lost(tracker.state, seen, isFrozen(tracker.state, draft));
}

function requireOpen(state: TrackedState): void {
  const gate = sendGate(state);
  if (gate.type === "closed") throw sendRefused(state, gate.reason);
}

/** Returns whether the TUI has taken the text that was in its composer when it showed `before`. */
export function isTaken(state: TrackedState, before: TrackedState): boolean {
  const { turn, surface, lastTurn } = state;
  const hasEnded = lastTurn.atMs !== before.lastTurn.atMs;
  const isEmptied = surface.editingInput === "no" && state.stability.signature !== before.stability.signature;
  return turn.activeReasons.length > 0 || hasEnded || isEmptied || surface.shows.type === "dialog";
}

/**
 * Returns whether the TUI has painted nothing since Enter. A draft that was not shown yet when Enter was pressed may be the only
 * text painted since, so that case counts as frozen.
 */
function isFrozen({ stability }: TrackedState, draft: TrackedState): boolean {
  return draft.surface.editingInput === "no" || stability.signature === draft.stability.signature;
}

function lost(state: TrackedState, seen: string, isFrozen = false): OperationalError<SendErrorCode> {
  const { surface, turn } = state;
  return new OperationalError<SendErrorCode>({
    code: "TUI_SUBMIT_LOST",
    message: `the prompt was pasted into ${state.detector.family}, but ${seen} (phase ${turn.phase}, shows ${surface.shows.type}, editing input ${surface.editingInput})`,
    remedy: "Look at the screen, and clear the composer before you send the prompt again.",
    details: { evidence: state.evidence, isFrozen },
  });
}
