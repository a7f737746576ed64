import { readTitle } from "./title.ts";
import type { TuiSignals, TurnEnding } from "../signals.ts";
import type { TuiScreen } from "../tui-screen.ts";
import type { LatestTurn } from "./latest-turn.ts";

/** What a detector keeps of earlier screens: one Turn's text and two times. */
export interface TurnHistory {
  /** The end that was seen last, and its number among the ends seen so far. */
  end: { type: TurnEnding["type"]; text: string; number: number } | null;
  /** Work was seen since that end. */
  hasWorkedSince: boolean;
  /** The message of the Turn that was last seen at work; null: it was out of sight. */
  workedMessage: string | null;
  /** Work was seen at all. */
  hasWorked: boolean;
  /** The title was seen at work: from then on its rest means rest. */
  hasSpunTitle: boolean;
  /** A running TUI hides the cursor and names the terminal: the end of both is its end. */
  hasHiddenCursor: boolean;
  hasTitle: boolean;
  /** The title that a TUI that is gone has left behind; null: none is known to be gone. */
  leftTitle: string | null;
  /** The last screen on which anything was proven, and the size of screens since when. */
  proven: TuiSignals | null;
  size: { text: string; sinceMs: number } | null;
  /** The transcript's text as it was seen last, at what size, and when it last grew. */
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
/** A stream that pauses longer than this between two pieces is not told from one that ended. */
const GROWTH_WINDOW_MS = 3_000;

/** Only what goes on after work was seen is growth: menus and notices change the transcript too. */
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

export function isGrowing({ transcript }: TurnHistory, atMs: number): boolean {
  const grewAtMs = transcript?.grewAtMs ?? null;
  return grewAtMs !== null && atMs - grewAtMs <= GROWTH_WINDOW_MS;
}

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

/** Between a resize and the next frame the terminal shows the old one wrapped anew: what was proven before still holds. */
export function isBeingRepainted({ size }: TurnHistory, atMs: number): boolean {
  return size !== null && atMs - size.sinceMs <= REPAINT_MS;
}

/** Leaving the list of sessions ends the program under a screen that looks ready. */
export function hasLetGo({ hasHiddenCursor, hasTitle }: TurnHistory, { cursor, title }: TuiScreen): boolean {
  return hasHiddenCursor && hasTitle && cursor?.visible === true && title === "";
}

export function watchWork(history: TurnHistory, isSpinning: boolean): TurnHistory {
  return {
    ...history,
    hasWorkedSince: true,
    hasWorked: true,
    hasSpunTitle: history.hasSpunTitle || isSpinning,
  };
}

/**
 * The number goes up with every Turn whose work was seen, and where the text tells another Turn. The same text cut
 * shorter (scrolled, resized) is the same end.
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
