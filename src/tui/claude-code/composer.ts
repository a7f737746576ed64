import type { TuiScreen } from "../tui-screen.ts";
import { hasBackground, hasColor, lookAt } from "./looks.ts";

/** The input box as it lies on the screen. */
export interface Composer {
  /** Row of its upper rule. */
  topRow: number;
  promptRow: number;
  /** Row of its lower rule. */
  bottomRow: number;
  /** Column of the first character of its text. */
  textCol: number;
  /** The last column of text in it is before this one. */
  endCol: number;
  /** The prompt sign is greyed while a Turn runs: a sign of its own, where the program paints. */
  prompt: "plain" | "dimmed" | "unknown";
}

interface Frame {
  top: RegExp;
  bottom: RegExp;
  prompt: RegExp;
  /** A row of text between the prompt's and the lower rule. */
  more: RegExp;
  promptCol: number;
  textCol: number;
}

/** Tags (a name of the session, a pull request) may stand in a rule. */
const RULE = /^─{8,}(?: \S.{0,100} ─+)?$/;
const FRAMES: readonly Frame[] = [
  {
    top: RULE,
    bottom: RULE,
    // U+00A0 follows the live prompt; it is trimmed away when nothing follows. Old captures have an ordinary space.
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

export function isRule(line: string): boolean {
  return RULE.test(line);
}

/**
 * The lowest prompt between two rules. What an answer, a tool's output or a past message quotes is indented or has no
 * rules, and lies above the live one anyway; the cursor is no help, older versions park it elsewhere.
 */
export function findComposer(screen: TuiScreen): Composer | null {
  for (let row = screen.lines.length - 1; row > 0; row -= 1)
    for (const frame of FRAMES) {
      const bottomRow = closeFrame(screen.lines, row, frame);
      if (bottomRow !== null) return toComposer(screen, row, bottomRow, frame);
    }
  return null;
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
  // A suggested message stands in the box as it would in the transcript, on the background of messages.
  const isSuggestion = hasBackground(screen, promptRow, frame.promptCol);
  const prompt = look === "faint" && !isSuggestion ? "dimmed" : isPainted ? "plain" : "unknown";
  const endCol = frame.promptCol === 0 ? screen.cols : screen.cols - 1;
  return { topRow, promptRow, bottomRow, textCol: frame.textCol, endCol, prompt };
}
