import type { TuiScreen } from "../tui-screen.ts";
import { hasBackground, hasColor, lookAt } from "./looks.ts";

/** The input box on the screen. */
export interface Composer {
  /** Row of its upper rule; -1: it is above the screen. */
  topRow: number;
  promptRow: number;
  /** Row of its lower rule. */
  bottomRow: number;
  /** Column of the first character of its text. */
  textCol: number;
  /** The column after the last one that its text can occupy. */
  endCol: number;
  /** The look of the prompt sign. It is grey during a Turn; if the program uses colours, this is a separate sign of work. */
  prompt: "plain" | "dimmed" | "unknown";
}

interface Frame {
  top: RegExp;
  bottom: RegExp;
  prompt: RegExp;
  /** Matches a row of text between the prompt's row and the lower rule. */
  more: RegExp;
  promptCol: number;
  textCol: number;
}

/** A rule may contain tags, such as the session's name or a pull request. */
const RULE = /^─{8,}(?: \S.{0,100} ─+)?$/;
/** 2.1.329 shows only a part of a long draft, and its rules state how many rows are hidden. */
const MORE_RULE = /^─{2,} [↑↓] \d+ more ─+$/;

const FRAMES: readonly Frame[] = [
  {
    top: RULE,
    bottom: new RegExp(`${RULE.source}|${MORE_RULE.source}`),
    // U+00A0 follows the live prompt; it is trimmed when no text follows. Old captures have an ordinary space.
    prompt: /^[❯>!#](?:[\u00a0 ]|$)/,
    more: /^(?: {2}|\u00a0|$)/,
    promptCol: 0,
    textCol: 2,
  },
  // Claude Code 1.x.
  {
    top: /^╭─{8,}╮$/,
    bottom: /^╰─{8,}╯$/,
    prompt: /^│[ \u00a0][>!#][ \u00a0]/,
    more: /^│/,
    promptCol: 2,
    textCol: 4,
  },
];

/** Returns whether the line is a rule of the input box. */
export function isRule(line: string): boolean {
  return RULE.test(line) || MORE_RULE.test(line);
}

/**
 * Returns the lowest prompt between two rules, or null if there is none. A prompt quoted by an answer, a tool's output or a past
 * message is indented or has no rules, and is above the live one. The cursor does not help, because older versions leave it
 * elsewhere.
 */
export function findComposer(screen: TuiScreen): Composer | null {
  for (let row = screen.lines.length - 1; row > 0; row -= 1)
    for (const frame of FRAMES) {
      const bottomRow = closeFrame(screen.lines, row, frame);
      if (bottomRow !== null) return toComposer(screen, row, bottomRow, frame);
    }
  return findTallComposer(screen);
}

const DRAFT_ROW = /^(?:[❯>!#][\u00a0 ]| {2}|$)/;

/**
 * Returns the composer of a draft that is taller than its box, or null. The first rows of such a draft, with the prompt, are
 * hidden.
 */
function findTallComposer(screen: TuiScreen): Composer | null {
  const { lines, cursor } = screen;
  const bottomRow = lines.findLastIndex(isRule);
  const topRow = lines.findLastIndex((line, row) => row < bottomRow && isRule(line));
  const rows = lines.slice(topRow + 1, bottomRow);
  if (rows.length === 0 || !rows.every((line) => DRAFT_ROW.test(line))) return null;
  const isScrolled = topRow !== -1 && MORE_RULE.test(lines[topRow] ?? "");
  // Without a rule at its upper end, a draft is distinguished from an answer by the cursor inside its text.
  const isOverScreen = topRow === -1 && cursor !== null && cursor.row < bottomRow && cursor.col >= 2;
  const promptRow = topRow + 1;
  if (!isScrolled && !isOverScreen) return null;
  return { topRow, promptRow, bottomRow, textCol: 2, endCol: screen.cols, prompt: "unknown" };
}

function closeFrame(lines: readonly string[], promptRow: number, frame: Frame): number | null {
  const isPrompt = frame.prompt.test(lines[promptRow] ?? "") && frame.top.test(lines[promptRow - 1] ?? "");
  if (!isPrompt) return null;
  for (let row = promptRow + 1; row < lines.length; row += 1) {
    const line = lines[row] ?? "";
    if (frame.bottom.test(line)) return row;
    if (!frame.more.test(line)) return null;
  }
  return null;
}

function toComposer(screen: TuiScreen, promptRow: number, bottomRow: number, frame: Frame): Composer {
  const topRow = promptRow - 1;
  const isPainted = hasColor(screen, [topRow, promptRow, bottomRow]);
  const look = lookAt(screen, promptRow, frame.promptCol);
  // A suggested message looks the same in the box as in the transcript: it has the background of messages.
  const isSuggestion = hasBackground(screen, promptRow, frame.promptCol);
  const prompt = look === "faint" && !isSuggestion ? "dimmed" : isPainted ? "plain" : "unknown";
  const endCol = frame.promptCol === 0 ? screen.cols : screen.cols - 1;
  return { topRow, promptRow, bottomRow, textCol: frame.textCol, endCol, prompt };
}
