import { resolveProfile, type TuiDetector, type TuiScreen, type TuiSignals } from "../../../src/tui/index.ts";
import { drawnScreen } from "../drawn-screen.ts";

const BOLD = "\x1b[1m";
const DIM = "\x1b[2m";
const PLAIN = "\x1b[0m";
const CURSOR = "▮";

/** Entries of the transcript as Codex paints them, from screens of 0.98, 0.116, 0.144.6 and 0.169. */
export const message = (text: string): string =>
  `${BOLD}${DIM}› ${PLAIN}${text.replaceAll("\n", "\n  ")}\n\n`;
export const answer = (text: string): string => `${DIM}• ${PLAIN}${text.replaceAll("\n", "\n  ")}\n\n`;
export const tool = (verb: string, rest: string): string =>
  `${BOLD}•${PLAIN} ${BOLD}${verb}${PLAIN} ${rest}\n\n`;
export const working = (head = "Working", time = "3s", after = ""): string =>
  `${BOLD}•${PLAIN} ${BOLD}${head}${PLAIN} ${DIM}(${time} • esc to interrupt)${after}${PLAIN}\n\n`;
export const workedFor = (time = "12s", at = "01:22"): string =>
  `${DIM}  Worked for ${time} • ${at}${PLAIN}\n\n`;
export const placeholder = `${CURSOR}${DIM}Ask Codex to do anything${PLAIN}`;
export const modelRow = "  GPT-6.1-Sol default · ~/acme-api\n  ← for agents · ? for shortcuts";

/** Returns the live prompt below the given rows; `▮` is the terminal cursor and takes no column. */
export function prompt(above: string, { input = placeholder, footer = modelRow, glyph = "›" } = {}): string {
  return `${above}\n${BOLD}${glyph}${PLAIN} ${input}\n\n${footer}`;
}

export interface Around {
  title?: string;
  report?: string | null;
}

export function screenOf(text: string, { title = "", report = null }: Around = {}): TuiScreen {
  return { ...drawnScreen(text), title, programReport: report };
}

/** Returns a screen that was captured without a cursor. */
export function captured(text: string): TuiScreen {
  return { ...screenOf(text), cursor: null };
}

export function detector(version = "0.169.0"): TuiDetector {
  return resolveProfile({ tool: "codex", observedVersion: version }).profile.create();
}

export function signalsOf(text: string, around: Around & { version?: string } = {}): TuiSignals {
  return detector(around.version).detect(screenOf(text, around), 0);
}
