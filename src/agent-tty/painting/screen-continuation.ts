import { cellAsJson, type SnapshotCell, snapshotCells } from "../capture/index.ts";
import {
  type DetailedSnapshot,
  restoreScreen,
  type ScreenState,
  withoutScrollback,
} from "../screen/index.ts";
import { styleSequence } from "./screen-painting.ts";

const SHAPES = { block: 2, underline: 4, bar: 6 } as const;
const TAB_WIDTH = 8;
const HOME = "\x1b[1;1H";

/**
 * Returns the sequences for the state that a painted screen lacks, so that later output acts on it as on the original: margins,
 * tab stops, the saved cursor, charsets, the current style, print modes, and the character that a combining one would join. Send
 * them after the painting, to a terminal that was empty before it.
 */
export function screenContinuation(whole: ScreenState, snapshot: DetailedSnapshot): string {
  // The screen is copied several times, so it is copied without its scrollback.
  const state = withoutScrollback(whole);
  const { emulator } = state;
  const { numbers, tabs } = emulator.isAlternate ? emulator.alternate : emulator.normal;
  const { scrollTop, scrollBottom, x, y } = numbers;
  const modes = {
    ...(emulator.modes.decPrivate as { origin?: boolean; wraparound?: boolean; reverseWraparound?: boolean }),
    ...(emulator.modes.core as { insertMode?: boolean }),
  };
  const isOrigin = modes.origin === true;
  const hasMargins = scrollTop !== 0 || scrollBottom !== emulator.rows - 1;
  const { shape, blink } = snapshot.cursor;
  return [
    hasMargins ? `\x1b[${scrollTop + 1};${scrollBottom + 1}r` : "",
    tabStops(tabs, emulator.cols),
    savedCursor(state),
    isOrigin ? "\x1b[?6h" : "",
    charsets(state),
    modes.insertMode === true ? "\x1b[4h" : "",
    modes.wraparound === false ? "\x1b[?7l" : "",
    modes.reverseWraparound === true ? "\x1b[?45h" : "",
    emulator.options["convertEol"] === true ? "\x1b[20h" : "",
    `\x1b[${SHAPES[shape] - (blink ? 1 : 0)} q`,
    cursorAndPen(x, y - (isOrigin ? scrollTop : 0), {
      cells: snapshotCells(snapshot)[y]?.cells ?? [],
      pen: penOf(state, ""),
      isJoining: emulator.precedingJoinState !== 0,
      inserts: modes.insertMode === true,
    }),
  ].join("");
}

function tabStops(tabs: Readonly<Record<string, boolean>>, cols: number): string {
  const stops = Array.from({ length: cols }, (_, column) => column).filter((column) => tabs[column] === true);
  const usual = Array.from({ length: Math.ceil(cols / TAB_WIDTH) }, (_, index) => index * TAB_WIDTH);
  if (stops.join() === usual.join()) return "";
  return `\x1b[3g${stops.map((column) => `\x1b[1;${column + 1}H\x1bH`).join("")}`;
}

function savedCursor(state: ScreenState): string {
  using screen = restoreScreen(state);
  screen.write(Buffer.from("\x1b[?6l\x1b8"), state.seq);
  const { row, col } = screen.snapshot().cursor;
  const charset = isDrawing(state, "\x1b8") ? "\x1b(0" : "";
  return `\x1b[${penOf(state, "\x1b8")}m${charset}\x1b[${row + 1};${col + 1}H\x1b7\x1b[0m\x1b(B`;
}

/**
 * Returns the sequences for the cursor's position and the current style. They come last, because every other sequence ends the
 * joining of characters. The character before the cursor is written again at the end of a line, or if the next character may join
 * it. If the next character may join it, it is written in the current style.
 */
function cursorAndPen(
  x: number,
  row: number,
  line: { cells: readonly SnapshotCell[]; pen: string; isJoining: boolean; inserts: boolean },
): string {
  const { cells, pen, isJoining, inserts } = line;
  const column = cells[x - 1]?.width === 0 ? x - 2 : x - 1;
  const before = cells[column];
  const isWritten = before !== undefined && (isJoining || x >= cells.length);
  if (!isWritten) return `\x1b[${row + 1};${Math.min(x, cells.length - 1) + 1}H\x1b[${pen}m`;
  const room = inserts ? `\x1b[${x - column}P` : "";
  const place = `\x1b[${row + 1};${column + 1}H${room}`;
  return isJoining
    ? `${place}\x1b[${pen}m${before.char}`
    : `${place}\x1b[${styleSequence(before)}m${before.char}\x1b[${pen}m`;
}

function charsets(state: ScreenState): string {
  const first = isDrawing(state, "\x0f") ? "\x1b(0" : "";
  const second = isDrawing(state, "\x0e") ? "\x1b)0" : "";
  return `${first}${second}${state.emulator.charsets.glevel === 1 ? "\x0e" : ""}`;
}

/** Returns the SGR parameters of the style that a character written after `before` has. */
function penOf(state: ScreenState, before: string): string {
  return styleSequence(probe(state, before, "x"));
}

function isDrawing(state: ScreenState, before: string): boolean {
  return probe(state, before, "q").char === "─";
}

/** Returns the cell that a character would become. It writes the character to a copy of the screen. */
function probe(state: ScreenState, before: string, character: string): SnapshotCell {
  using screen = restoreScreen(state);
  screen.write(Buffer.from(`${before}\x1b[?6l\x1b[4l${HOME}${character}`), state.seq);
  const [first] = screen.styledSnapshot().cellsOf(0);
  const cell = first === undefined ? undefined : cellAsJson(first);
  if (cell === undefined) throw new Error("a screen without a cell");
  return cell;
}
