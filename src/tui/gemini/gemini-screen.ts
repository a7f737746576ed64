import type { Dialog, Proof } from "../signals.ts";
import type { TuiScreen } from "../tui-screen.ts";

/** The states that the window title shows. */
export type GeminiTitle = "working" | "blocked" | "idle" | null;

/** Returns the state that the window title shows, or null if it shows none. */
export function readTitle({ title }: TuiScreen): GeminiTitle {
  if (title.startsWith("✦ ")) return "working";
  if (title.startsWith("✋ ")) return "blocked";
  return title.startsWith("◇ ") ? "idle" : null;
}

/** The box of the next message. It is the last one, with the footer below it. */
export interface GeminiComposer {
  row: number;
  isEditing: Proof;
  /** Whether a list of commands, files or agents is open under it and takes Enter. */
  hasList: boolean;
}

const PROMPT = /^ [>!*] {1,3}(.*)$/;
const BOX_TOP = /^▄{10}/;
const BOX_BOTTOM = /^▀{10}/;
/** The ruler above the row of hints, across the whole screen. */
const RULER = /^─{10,}$/u;
const PLACEHOLDER = "Type your message or @path/to/file";
const TEXT_COLUMN = 3;
const FOOTER_MAX_ROWS = 6;
/** The rows of the footer under an open list. */
const FOOTER_ROWS = 2;
/** A draft whose last word the TUI completes from a list: a command, or a file or agent. */
const COMPLETED = /^\/|(?:^|\s)@\S*$/;

/** The rows of a composer from its prompt sign to its last row of text, and the first row of the footer. */
interface Block {
  first: number;
  end: number;
  footer: number;
}

/** Returns the composer, or null if there is none. */
export function readComposer(screen: TuiScreen): GeminiComposer | null {
  const { lines } = screen;
  const block = boxedBlock(lines) ?? ruledBlock(lines) ?? openBlock(lines);
  if (block === null) return null;
  const first = PROMPT.exec(lines[block.first] ?? "");
  const below = lines.slice(block.footer).filter((line) => line !== "");
  if (first === null || below.length === 0 || !below.every((line) => line.startsWith(" "))) return null;
  const text = [first[1] ?? "", ...lines.slice(block.first + 1, block.end)].join("\n").trim();
  const hasList = below.length > FOOTER_ROWS && COMPLETED.test(text);
  if (!hasList && below.length > FOOTER_MAX_ROWS) return null;
  return { row: block.first, isEditing: editingOf(screen, block.first, text), hasList };
}

/** Returns the rows of a composer that is painted with half blocks, as in a terminal with 24-bit colours (COLORTERM). */
function boxedBlock(lines: readonly string[]): Block | null {
  const bottomRow = lines.findLastIndex((line) => BOX_BOTTOM.test(line));
  const topRow = lines.findLastIndex((line, row) => row < bottomRow && BOX_TOP.test(line));
  return topRow === -1 ? null : { first: topRow + 1, end: bottomRow, footer: bottomRow + 1 };
}

/**
 * Returns the rows of a composer between two rulers. Without colours (NO_COLOR) there is a ruler directly above the prompt and
 * one directly below the text.
 */
function ruledBlock(lines: readonly string[]): Block | null {
  const bottomRow = lines.findLastIndex((line) => RULER.test(line));
  const topRow = lines.findLastIndex((line, row) => row < bottomRow && RULER.test(line));
  const isPrompt = topRow !== -1 && PROMPT.test(lines[topRow + 1] ?? "");
  return isPrompt ? { first: topRow + 1, end: bottomRow, footer: bottomRow + 1 } : null;
}

/**
 * Returns the rows of a composer whose edges are blank rows, as in any other terminal. The ruler above distinguishes the prompt
 * from past messages, which look the same; the model's text is indented and never appears below that ruler.
 */
function openBlock(lines: readonly string[]): Block | null {
  const rulerRow = lines.findLastIndex((line) => RULER.test(line));
  const first = lines.findIndex((line, row) => row > rulerRow && PROMPT.test(line));
  const last = lines.findLastIndex((line) => line !== "");
  const footer = lines.findLastIndex((line, row) => row < last && line === "") + 1;
  const isWhole = rulerRow !== -1 && first !== -1 && lines[first - 1] === "" && footer > first + 1;
  return isWhole ? { first, end: footer - 1, footer } : null;
}

const SHELL_PROMPT = /^\S.*[$#%❯>] ?$|^[$#%❯>] ?$/u;
const OBITUARY = /(?:Killed|Terminated|Hangup|Aborted|Segmentation fault)/;

/**
 * Returns the row of a shell's prompt under the shell's message about a killed TUI, or null if there is none. The shell writes
 * that message over the composer. Every row of a live composer begins with a space.
 */
export function findDeparture({ lines, cursor }: TuiScreen): number | null {
  if (cursor === null) return null;
  const isPrompt = SHELL_PROMPT.test((lines[cursor.row] ?? "").slice(0, cursor.col));
  return isPrompt && OBITUARY.test(lines[cursor.row - 1] ?? "") ? cursor.row : null;
}

/**
 * Returns whether the composer contains the user's text. The TUI draws its own cursor as an inverse cell, before the placeholder
 * or after typed text.
 */
function editingOf(screen: TuiScreen, row: number, text: string): Proof {
  if (text === "") return "no";
  if (text !== PLACEHOLDER) return "yes";
  const isAtStart = screen.cellsOf(row)[TEXT_COLUMN]?.style.attributes.includes("inverse") === true;
  return isAtStart ? "no" : "unknown";
}

/** Returns the row that changes during work, or null if there is none. Quotations in an answer are indented further. */
export function workingRow({ lines }: TuiScreen, composerRow: number): number | null {
  const row = lines.findLastIndex((line, index) => index < composerRow && WORKING.test(line));
  return row === -1 ? null : row;
}

const WORKING = /^ [\u2801-\u28ff] \S.*\(esc to cancel\b/u;
const CHOICE = /^[│ ]{0,3}\s?(●)?\s*\d+\. (.*?)[\s│]*$/u;
const HEADING_ROWS = 8;

/** Returns a list of choices that has no composer below it, and its row, or null if there is none. */
export function readDialog({ lines }: TuiScreen): { dialog: Dialog; row: number } | null {
  const selectedRow = lines.findLastIndex((line) => CHOICE.exec(line)?.[1] !== undefined);
  if (selectedRow === -1) return null;
  let first = selectedRow;
  while (CHOICE.test(lines[first - 1] ?? "")) first -= 1;
  let end = selectedRow + 1;
  while (CHOICE.test(lines[end] ?? "")) end += 1;
  const choices = lines.slice(first, end).map((line) => CHOICE.exec(line)?.[2] ?? "");
  const heading = headingOf(lines.slice(Math.max(0, first - HEADING_ROWS), first));
  return {
    row: selectedRow,
    dialog: { kind: kindOf(heading), heading, choices, selected: selectedRow - first },
  };
}

/** Returns the question, which is in a box below the model's text. */
function headingOf(above: readonly string[]): string {
  const own = above.slice(above.findLastIndex((line) => line.startsWith("✦ ")) + 1);
  return own
    .join(" ")
    .replaceAll(/[│╭╰╮╯─\s]+/gu, " ")
    .trim();
}

function kindOf(heading: string): Dialog["kind"] {
  if (/\btrust\b/i.test(heading)) return "trust";
  if (/\bauthenticat/i.test(heading)) return "login";
  if (/\btheme\b/i.test(heading)) return "theme";
  return /\b(?:allow|apply)\b.*\?/i.test(heading) ? "permission" : "other";
}
