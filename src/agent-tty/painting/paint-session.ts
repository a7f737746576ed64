import { snapshotCells } from "../capture/index.ts";
import type { Home } from "../home/index.ts";
import { replayCut } from "../replay/index.ts";
import { type DetailedSnapshot, restoreScreen, type ScreenState } from "../screen/index.ts";
import { screenContinuation } from "./screen-continuation.ts";
import { screenPainting } from "./screen-painting.ts";

/** The bytes that bring an empty terminal of this size to a Session's screen; output after `seq` continues from there. */
export interface Painting {
  seq: number;
  /** In milliseconds since the Session's start. */
  tMs: number;
  cols: number;
  rows: number;
  paint: string;
}

/**
 * At the last place up to `atSeq` (default the end of the Event Log) where later output may follow. What scrolled off comes as
 * plain text, its last `scrolledLines` lines (default all that the screen keeps). Which lines were wrapped is not told, so they do
 * not flow when the terminal gets wider. Rejects as `replaySession` does.
 */
export async function paintSession(
  home: Home,
  sessionId: string,
  { atSeq, scrolledLines }: { atSeq?: number; scrolledLines?: number } = {},
): Promise<Painting> {
  const { snapshot: whole, state, tMs } = await replayCut(home, sessionId, atSeq);
  const snapshot = withLastLines(whole, scrolledLines);
  const { seq, cols, rows } = snapshot;
  const paint =
    state === null
      ? painted(snapshot)
      : `${underneath(state, scrolledLines)}${painted(snapshot)}${screenContinuation(state, snapshot)}`;
  return { seq, tMs, cols, rows, paint };
}

/** The bytes that bring an empty terminal to a screen at a place where later output may follow, without scrollback. */
export function paintScreen(state: ScreenState, snapshot: DetailedSnapshot): string {
  return `${underneath(state, 0)}${painted(withLastLines(snapshot, 0))}${screenContinuation(state, snapshot)}`;
}

function painted(snapshot: DetailedSnapshot): string {
  const { modes, cursor, scrollbackLines, rows } = snapshot;
  // Enough line feeds to scroll the last of these lines off the screen.
  const scrolled =
    scrollbackLines.length === 0 ? "" : `${scrollbackLines.join("\r\n")}${"\r\n".repeat(rows)}`;
  return `${scrolled}${screenPainting({ cells: snapshotCells(snapshot), modes, cursor })}`;
}

/** The screen that a program on the alternate screen uncovers when it leaves. */
function underneath(state: ScreenState, scrolledLines?: number): string {
  if (!state.emulator.isAlternate) return "";
  const normal = { ...state, emulator: { ...state.emulator, isAlternate: false } };
  using screen = restoreScreen(normal);
  const snapshot = withLastLines(screen.detailedSnapshot(), scrolledLines);
  return `${painted(snapshot)}${screenContinuation(normal, snapshot)}\x1b[0m`;
}

function withLastLines(snapshot: DetailedSnapshot, count = Number.POSITIVE_INFINITY): DetailedSnapshot {
  const { scrollbackLines } = snapshot;
  return { ...snapshot, scrollbackLines: scrollbackLines.slice(Math.max(0, scrollbackLines.length - count)) };
}
