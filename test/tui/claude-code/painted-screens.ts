import { resolveProfile, type TuiDetector, type TuiScreen } from "../../../src/tui/index.ts";
import { drawnScreen } from "../drawn-screen.ts";

const PLAIN = "\x1b[0m";
const NBSP = "\u00a0";
const CURSOR = "▮";
const RULE = "─".repeat(78);

/** The colours of a theme: the dark theme of 2.1.x, the theme of 16 colours, or no colours. */
export interface Theme {
  grey: string;
  bright: string;
  spinner: string;
  error: string;
  message: string;
}

export const DARK: Theme = {
  grey: "\x1b[38;2;153;153;153m",
  bright: "\x1b[38;2;255;255;255m",
  spinner: "\x1b[38;2;215;119;87m",
  error: "\x1b[38;2;255;193;7m",
  message: "\x1b[38;2;255;255;255;48;2;55;55;55m",
};
export const LIGHT_16: Theme = {
  grey: "\x1b[38;5;8m",
  bright: "\x1b[38;5;0m",
  spinner: "\x1b[38;5;1m",
  error: "\x1b[38;5;3m",
  message: "\x1b[38;5;0;48;5;7m",
};
export const COLORLESS: Theme = { grey: "", bright: "", spinner: "", error: "", message: "" };

export const message = (theme: Theme, text: string): string =>
  `${theme.message}❯ ${text.replaceAll("\n", "\n  ")}${PLAIN}\n\n`;
export const answer = (theme: Theme, text: string): string =>
  `${theme.bright}●${PLAIN} ${text.replaceAll("\n", "\n  ")}\n\n`;
export const tool = (theme: Theme, output: string): string =>
  `${theme.spinner}●${PLAIN} Bash(npm test)\n${theme.grey}  ⎿ ${NBSP}${PLAIN}${output.replaceAll("\n", "\n     ")}\n\n`;
export const completion = (theme: Theme): string =>
  `${theme.grey}✻${PLAIN} ${theme.grey}Baked for 12s${PLAIN}\n\n`;
export const spinner = (theme: Theme): string =>
  `${theme.spinner}✶${PLAIN} ${theme.spinner}Infusing… ${theme.grey}(12s · ↓ 39 tokens)${PLAIN}\n\n`;
export const failure = (theme: Theme, text: string): string =>
  `${theme.error}●${PLAIN} ${theme.error}${text}${PLAIN}\n\n`;
export const interruption = (theme: Theme): string =>
  `${theme.grey}  ⎿ ${NBSP}Interrupted · What should Claude do instead?${PLAIN}\n\n`;

/** Returns the box under the given rows; `▮` is the terminal cursor and takes no column. */
export function box(
  theme: Theme,
  above: string,
  { input = "", isWorking = false, footer = "  ? for shortcuts" } = {},
): string {
  const prompt = `${isWorking ? theme.grey : ""}❯${NBSP}${PLAIN}`;
  const rule = `${theme.grey}${RULE}${PLAIN}`;
  return `${above}${rule}\n${prompt}${input.replaceAll("\n", "\n  ")}${CURSOR}\n${rule}\n${theme.grey}${footer}${PLAIN}`;
}

export function screenOf(text: string, title = ""): TuiScreen {
  const screen = drawnScreen(text);
  return { ...screen, cursor: { ...screen.cursor, visible: false }, title };
}

export function detector(version = "2.1.197"): TuiDetector {
  return resolveProfile({ tool: "claude", observedVersion: version }).profile.create();
}
