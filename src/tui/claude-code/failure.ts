import type { TuiScreen } from "../tui-screen.ts";
import { lookAt } from "./looks.ts";
import type { Paint } from "./rows.ts";

export interface Failure {
  row: number;
  /** The TUI's wording, wrapped rows joined. */
  error: string;
}

/** The beginnings of the errors that end a Turn. Retries are shown as spinners and are not included. */
const WORDS = [
  "API Error",
  "Request timed out",
  "Connection error",
  "Invalid API key",
  "Not logged in",
  "Please run \\/login",
  "OAuth (?:token|authentication)",
  "Failed to authenticate",
  "Your (?:account|organization) ",
  "This organization has been disabled",
  "Prompt is too long",
  "Context low",
  "Context limit reached",
  "Credit balance",
  "There[’']s an issue with the selected model",
  "You[’']ve (?:hit|reached) your ",
  "You[’']re out of ",
  "(?:Claude )?(?:5-hour|Session|Weekly|Usage|Opus weekly|AI) (?:usage )?limit reached",
  "Repeated 529",
];
const FAILURE = new RegExp(`^(?:([●⏺])[ \\u00a0]|(\\s*⎿)[ \\u00a0]+)((?:${WORDS.join("|")}).*)$`, "iu");
const TOOL = /^[●⏺ ] \S+\(/u;
const ERROR_MAX = 400;

/** Returns the error that is the last entry of the Turn, or null if another entry is last. */
export function findFailure(
  screen: TuiScreen,
  messageRow: number,
  endRow: number,
  paint: Paint,
): Failure | null {
  const { lines } = screen;
  const row = lastBlockRow(lines, messageRow, endRow);
  if (row === null) return null;
  const match = FAILURE.exec(lines[row] ?? "");
  const words = match?.[3];
  if (words === undefined || !isOwn(screen, row, words, paint)) return null;
  if (match?.[2] !== undefined && isToolOutput(lines, row)) return null;
  const rest = lines.slice(row + 1, endRow).map((line) => line.trim());
  return {
    row,
    error: [words, ...rest]
      .filter((line) => line !== "")
      .join(" ")
      .slice(0, ERROR_MAX),
  };
}

/**
 * Returns whether the TUI itself printed the words: its errors have their own colour, while the same words in an answer or a
 * tool's output have the text's colour.
 */
function isOwn(screen: TuiScreen, row: number, words: string, { isPainted }: Paint): boolean {
  if (!isPainted) return true;
  const line = screen.lines[row] ?? "";
  const at = line.length - words.length;
  const cells = screen.cellsOf(row);
  if (lookAt(screen, row, at) !== "colored") return false;
  return line.trimStart().startsWith("⎿") || cells[0]?.style.fg === cells[at]?.style.fg;
}

function lastBlockRow(lines: readonly string[], messageRow: number, endRow: number): number | null {
  for (let row = endRow - 1; row > messageRow; row -= 1)
    if (/^(?:[●⏺]|\s*⎿)/u.test(lines[row] ?? "")) return row;
  return null;
}

/** Returns whether the row is the output of a tool, which is indented under the tool's row. */
function isToolOutput(lines: readonly string[], row: number): boolean {
  return TOOL.test(lines[row - 1] ?? "");
}
