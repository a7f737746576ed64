import type { Dialog, Proof } from "../signals.ts";
import type { TuiScreen } from "../tui-screen.ts";

/** The words of the window title. */
export type GeminiTitle = "working" | "blocked" | "idle" | null;

export function readTitle({ title }: TuiScreen): GeminiTitle {
  if (title.startsWith("✦ ")) return "working";
  if (title.startsWith("✋ ")) return "blocked";
  return title.startsWith("◇ ") ? "idle" : null;
}

/** The box of the next message: it is the last one, and the footer stands below it. */
export interface GeminiComposer {
  row: number;
  isEditing: Proof;
}

const PROMPT = /^ [>!*] {1,3}(.*)$/;
const BOX_TOP = /^▄{10}/;
const BOX_BOTTOM = /^▀{10}/;
const PLACEHOLDER = "Type your message or @path/to/file";
const TEXT_COLUMN = 3;
const FOOTER_ROWS = 6;

export function readComposer(screen: TuiScreen): GeminiComposer | null {
  const { lines } = screen;
  const bottomRow = lines.findLastIndex((line) => BOX_BOTTOM.test(line));
  const topRow = lines.findLastIndex((line, row) => row < bottomRow && BOX_TOP.test(line));
  const below = lines.slice(bottomRow + 1).filter((line) => line !== "");
  const first = PROMPT.exec(lines[topRow + 1] ?? "");
  if (topRow === -1 || first === null || below.length === 0 || below.length > FOOTER_ROWS) return null;
  if (!below.every((line) => line.startsWith(" "))) return null;
  const text = [first[1] ?? "", ...lines.slice(topRow + 2, bottomRow)].join("\n").trim();
  return { row: topRow + 1, isEditing: editingOf(screen, topRow + 1, text) };
}

/** The tool draws its own cursor: inverse, before the placeholder or behind what was typed. */
function editingOf(screen: TuiScreen, row: number, text: string): Proof {
  if (text === "") return "no";
  if (text !== PLACEHOLDER) return "yes";
  const isAtStart = screen.cellsOf(row)[TEXT_COLUMN]?.style.attributes.includes("inverse") === true;
  return isAtStart ? "no" : "unknown";
}

/** The row that turns while it works; what an answer quotes is indented further. */
export function workingRow({ lines }: TuiScreen, composerRow: number): number | null {
  const row = lines.findLastIndex((line, index) => index < composerRow && WORKING.test(line));
  return row === -1 ? null : row;
}

const WORKING = /^ [\u2801-\u28ff] \S.*\(esc to cancel\b/u;
const CHOICE = /^[│ ]{0,3}\s?(●)?\s*\d+\. (.*?)[\s│]*$/u;
const HEADING_ROWS = 8;

/** A list of choices without a composer below it. */
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

/** What is asked stands in a box below the model's text. */
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
