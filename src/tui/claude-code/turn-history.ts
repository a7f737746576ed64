import { readTitle } from "./program-report.ts";
import type { TuiSignals, TurnEnding } from "../signals.ts";
import type { TuiScreen } from "../tui-screen.ts";
import type { LatestTurn } from "./latest-turn.ts";

/** The detector's memory of earlier screens: one Turn's text and two times. */
export interface TurnHistory {
  /** The last end that was seen, with its number among all ends seen so far. */
  end: { type: TurnEnding["type"]; text: string; number: number } | null;
  /** Whether work was seen since that end. */
  hasWorkedSince: boolean;
  /** The message of the Turn that was last seen working; null: it was off the screen. */
  workedMessage: string | null;
  /** Whether any work was seen. */
  hasWorked: boolean;
  /** Whether the title showed work. From then on a title at rest proves rest. */
  hasSpunTitle: boolean;
  /** A running TUI hides the cursor and sets the title. When both end, the TUI has ended. */
  hasHiddenCursor: boolean;
  hasTitle: boolean;
  /** The title left behind by a TUI that has ended; null: no TUI is known to have ended. */
  leftTitle: string | null;
  /** The last screen with any proof, and the time since when the screen has its present size. */
  proven: TuiSignals | null;
  size: { text: string; sinceMs: number } | null;
  /** The transcript's last text, its size, and the time of its last growth. */
  transcript: { text: string; size: string; grewAtMs: number | null } | null;
}

export const newHistory: TurnHistory = {
  end: null,
  hasWorkedSince: false,
  workedMessage: null,
  hasWorked: false,
  hasSpunTitle: false,
  hasHiddenCursor: false,
  hasTitle: false,
  leftTitle: null,
  proven: null,
  size: null,
  transcript: null,
};

const REPAINT_MS = 1_000;
/** A stream that pauses longer than this, in milliseconds, cannot be distinguished from one that ended. */
const GROWTH_WINDOW_MS = 3_000;

/**
 * Returns the history with the transcript's growth. Only growth after seen work counts, because menus and notices change the
 * transcript too.
 */
export function watchTranscript(
  history: TurnHistory,
  { text }: LatestTurn,
  size: string,
  atMs: number,
): TurnHistory {
  const before = history.transcript;
  const isSame = before === null || before.size !== size || before.text === text || !history.hasWorkedSince;
  const grewAtMs = isSame ? (before?.grewAtMs ?? null) : atMs;
  return { ...history, transcript: { text, size, grewAtMs } };
}

/** Returns whether the transcript has grown within the growth window. */
export function isGrowing({ transcript }: TurnHistory, atMs: number): boolean {
  const grewAtMs = transcript?.grewAtMs ?? null;
  return grewAtMs !== null && atMs - grewAtMs <= GROWTH_WINDOW_MS;
}

/** Returns the history with the cursor, the title and the size of the terminal. */
export function watchTerminal(
  history: TurnHistory,
  { cols, rows, cursor, title }: TuiScreen,
  atMs: number,
): TurnHistory {
  const text = `${cols}x${rows}`;
  const size =
    history.size?.text === text
      ? history.size
      : { text, sinceMs: history.size === null ? Number.NEGATIVE_INFINITY : atMs };
  const hasHiddenCursor = history.hasHiddenCursor || cursor?.visible === false;
  const hasTitle = history.hasTitle || readTitle(title) !== "none";
  return { ...history, hasHiddenCursor, hasTitle, size };
}

/**
 * Returns whether the screen may be between a resize and the next frame. The terminal then shows the old frame
 * rewrapped, and earlier proof still holds.
 */
export function isBeingRepainted({ size }: TurnHistory, atMs: number): boolean {
  return size !== null && atMs - size.sinceMs <= REPAINT_MS;
}

/** Returns whether the TUI has ended under a screen that looks ready, which happens when a person leaves the list of sessions. */
export function hasLetGo({ hasHiddenCursor, hasTitle }: TurnHistory, { cursor, title }: TuiScreen): boolean {
  return hasHiddenCursor && hasTitle && cursor?.visible === true && title === "";
}

/** Returns the history of a Turn that shows work. `isSpinning`: the title shows it. */
export function watchWork(history: TurnHistory, isSpinning: boolean): TurnHistory {
  return {
    ...history,
    hasWorkedSince: true,
    hasWorked: true,
    hasSpunTitle: history.hasSpunTitle || isSpinning,
  };
}

/**
 * Returns the history with the end of a Turn. The number increases with every Turn whose work was seen, and when the text shows
 * another Turn. If scrolling or resizing shortens the text, it is still the same end.
 */
export function watchEnd(history: TurnHistory, type: TurnEnding["type"], text: string): TurnHistory {
  const { end } = history;
  const isSame = end !== null && !history.hasWorkedSince && end.type === type && isCut(end.text, text);
  const number = isSame ? end.number : (end?.number ?? 0) + 1;
  return { ...history, end: { type, text: isSame ? end.text : text, number }, hasWorkedSince: false };
}

function isCut(one: string, other: string): boolean {
  return one.endsWith(other) || other.endsWith(one);
}
