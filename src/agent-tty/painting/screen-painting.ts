import type { SnapshotCell, SnapshotCellLine } from "../capture/index.ts";
import type { CellAttribute, TerminalModes } from "../screen/index.ts";

/** The part of a `snapshot` with cells that a painting needs. */
export interface PaintedScreen {
  cells: readonly SnapshotCellLine[];
  modes: TerminalModes;
  cursor: { row: number; col: number; visible: boolean };
}

const SGR: readonly [CellAttribute, number][] = [
  ["bold", 1],
  ["dim", 2],
  ["italic", 3],
  ["underline", 4],
  ["blink", 5],
  ["inverse", 7],
  ["invisible", 8],
  ["strikethrough", 9],
  ["overline", 53],
];
const UNDERLINE_STYLES: Readonly<Record<string, string>> = {
  double: "4:2",
  curly: "4:3",
  dotted: "4:4",
  dashed: "4:5",
};

/**
 * Returns the sequences that reproduce a screen on a terminal: characters with their styles, cursor, and the modes that decide
 * what keys and pastes send. Links are left out, because a program chooses their text (S10). Mouse reporting is left out, because
 * the modes do not contain which encoding a program wants; it stays off until the program enables it again.
 */
export function screenPainting({ cells, modes, cursor }: PaintedScreen): string {
  const rows = cells.map(({ lineNumber, cells: line }) => `\x1b[${lineNumber + 1};1H${rowPainting(line)}`);
  return [
    modes.alternateScreen ? "\x1b[?1049h" : "",
    "\x1b[0m\x1b[2J",
    ...rows,
    `\x1b[${cursor.row + 1};${cursor.col + 1}H`,
    cursor.visible ? "\x1b[?25h" : "\x1b[?25l",
    modes.applicationCursor ? "\x1b[?1h" : "\x1b[?1l",
    modes.applicationKeypad ? "\x1b=" : "\x1b>",
    modes.bracketedPaste ? "\x1b[?2004h" : "\x1b[?2004l",
  ].join("");
}

function rowPainting(line: readonly SnapshotCell[]): string {
  const end = line.findLastIndex((cell) => cell.char.trim() !== "" || styleSequence(cell) !== NO_STYLE) + 1;
  let style = NO_STYLE;
  let text = "";
  for (const [column, cell] of line.slice(0, end).entries()) {
    if (cell.width === 0) continue;
    const wanted = styleSequence(cell);
    if (wanted !== style) text += `\x1b[${wanted}m`;
    style = wanted;
    // A sequence between them keeps the characters of two cells from joining into one.
    if (column > 0 && mayJoin(cell.char)) text += `\x1b[${column + 1}G`;
    text += cell.char;
  }
  return style === NO_STYLE ? text : `${text}\x1b[0m`;
}

const NO_STYLE = "0";
/** No character below the first combining character joins. */
const FIRST_COMBINING = 0x300;

function mayJoin(char: string): boolean {
  return (char.codePointAt(0) ?? 0) >= FIRST_COMBINING;
}

/** Returns the SGR parameters of a cell's style. They begin with a reset. */
export function styleSequence(cell: SnapshotCell): string {
  const attributes = SGR.filter(([name]) => cell[name] === true).map(([name, code]) =>
    name === "underline" ? (UNDERLINE_STYLES[cell.underlineStyle ?? ""] ?? "4") : String(code),
  );
  return [
    "0",
    ...attributes,
    ...colorOf(cell.fg, 30, 38),
    ...colorOf(cell.bg, 40, 48),
    ...extendedColor(cell.underlineColor, 58),
  ].join(";");
}

/** Returns the SGR parameters of a colour. The first 16 colours have their own codes, because terminals may theme them. */
function colorOf(color: string | undefined, base: 30 | 40, extended: 38 | 48): string[] {
  const index = paletteIndex(color);
  if (index === null || index >= 16) return extendedColor(color, extended);
  return [String(index < 8 ? base + index : base + 60 + index - 8)];
}

function extendedColor(color: string | undefined, code: 38 | 48 | 58): string[] {
  if (color === undefined) return [];
  const index = paletteIndex(color);
  if (index !== null) return [`${code};5;${index}`];
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
  return [`${code};2;${red};${green};${blue}`];
}

function paletteIndex(color: string | undefined): number | null {
  const index = /^palette-(\d+)$/.exec(color ?? "")?.[1];
  return index === undefined ? null : Number(index);
}
