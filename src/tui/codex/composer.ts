import type { Proof } from "../signals.ts";
import type { TuiScreen } from "../tui-screen.ts";
import { isMarked } from "./blocks.ts";
import { isShellPrompt } from "./departure.ts";
import { hasAttribute } from "./styles.ts";

/** The box at the bottom in which the next message is typed. */
export interface Composer {
  /** The row that contains `›`. */
  row: number;
  /** Its text, placeholder or draft, rows joined by line feeds. */
  text: string;
  isEditing: Proof;
  /** False where the styles were not captured: Codex draws its own `›` bold. */
  isStyled: boolean;
  /** The non-empty rows below it, trimmed. */
  footer: readonly string[];
  /** Only in a capture: a part of the transcript is below it, so it may be the last message instead. */
  isLastMessage: boolean;
  /** A list or a help page is open under it and takes the next key. */
  hasPopup: boolean;
}

const GLYPH = /^›(?:\s|$)/;
/** `!` replaces `›` while a shell command is typed. */
const LIVE_GLYPH = /^[›!](?:\s|$)/;
/** The column after `›` and its space. */
const TEXT_COLUMN = 2;
const SLASH_COMMAND = /^\/\S*$/;
const POPUP_KEYS = /\besc close\b/;

/**
 * Returns the composer, or null if there is none. The live composer holds the terminal cursor; a past message, a row of a menu or
 * a quoted glyph does not. Without a cursor (captured text) it is the last `›`. `canReadText`: text without style counts as a
 * draft.
 */
export function readComposer(screen: TuiScreen, canReadText: boolean): Composer | null {
  const row = screen.cursor === null ? lastGlyphRow(screen.lines) : glyphRowAt(screen);
  if (row === null) return null;
  const below = screen.lines.slice(row + 1);
  const cursorOffset = Math.max(0, (screen.cursor?.row ?? row) - row);
  const gap = below.findIndex((line, index) => line === "" && index >= cursorOffset);
  const draftRows = gap === -1 ? 0 : gap;
  const text = [screen.lines[row] ?? "", ...below.slice(0, draftRows)]
    .map((line) => line.slice(TEXT_COLUMN).trimEnd())
    .join("\n");
  const footer = below.slice(draftRows).flatMap((line) => (line === "" ? [] : [line.trim()]));
  const isEditing = readEditing(screen, row, text, canReadText);
  const edges = [screen.lines[row - 1] ?? "", screen.lines[row - 2] ?? "", ...footer];
  const hasPopup =
    (isEditing !== "no" && SLASH_COMMAND.test(text)) ||
    (screen.cursor !== null && edges.some((line) => POPUP_KEYS.test(line)));
  const isLastMessage = screen.cursor === null && below.some(isMarked);
  return {
    row,
    text,
    isEditing,
    isStyled: hasAttribute(screen, row, 0, "bold"),
    footer,
    isLastMessage,
    hasPopup,
  };
}

function glyphRowAt({ lines, cursor }: TuiScreen): number | null {
  if (cursor === null || !cursor.visible || cursor.col < TEXT_COLUMN) return null;
  for (let row = cursor.row; row >= 0; row -= 1) {
    const line = lines[row] ?? "";
    if (LIVE_GLYPH.test(line)) return row;
    if (line !== "" && !line.startsWith("  ")) return null;
  }
  return null;
}

function lastGlyphRow(lines: readonly string[]): number | null {
  const row = lines.findLastIndex((line) => GLYPH.test(line));
  return row === -1 || lines.slice(row + 1).some(isShellPrompt) ? null : row;
}

/** Returns whether the text is a draft. Placeholders and hints are dim. The cursor is after typed text. */
function readEditing(screen: TuiScreen, row: number, text: string, canReadText: boolean): Proof {
  const { cursor } = screen;
  if (text.trim() === "") return "no";
  if (cursor !== null && (cursor.row > row || cursor.col > TEXT_COLUMN)) return "yes";
  const typed = screen.cellsOf(row).slice(TEXT_COLUMN);
  const first = typed.find(({ char }) => char.trim() !== "");
  if (first === undefined) return text.includes("\n") ? "yes" : "unknown";
  if (first.style.attributes.includes("dim")) return "no";
  const isOwnText = first.style.attributes.length === 0 && first.style.fg === "default";
  return isOwnText && canReadText ? "yes" : "unknown";
}
