import { snapshotCells } from "../capture/index.ts";
import type { Home } from "../home/index.ts";
import { replayCut } from "../replay/index.ts";
import { type DetailedSnapshot, restoreScreen, type ScreenState } from "../screen/index.ts";
import { screenContinuation } from "./screen-continuation.ts";
import { screenPainting } from "./screen-painting.ts";

/** The bytes that reproduce a Session's screen on an empty terminal of this size; output after `seq` continues from there. */
export interface Painting {
  seq: number;
  /** Milliseconds since the Session's start. */
  tMs: number;
  cols: number;
  rows: number;
  paint: string;
}

/**
 * Resolves with the painting of a Session at the last position up to `atSeq` (default: the end of the Event Log) where later
 * output may follow. Lines that scrolled off are plain text: the last `scrolledLines` of them (default: all that the screen
 * keeps). The painting does not contain which lines were wrapped, so lines do not reflow when the terminal gets wider. Rejects as
 * `replaySession` does.
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

/**
 * Returns the bytes that reproduce a screen on an empty terminal, without scrollback, at a position where later output may
 * follow.
 */
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

/** Returns the painting of the normal screen, which appears when a program leaves the alternate screen. */
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
