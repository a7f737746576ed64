import type { Cell, CellColor } from "agent-tty";
import { channelRange, hasHue } from "../hue.ts";
import type { TuiScreen } from "../tui-screen.ts";

/** The style of a cell; `unknown` if only text was captured. */
export type Look = "default" | "faint" | "colored" | "other" | "unknown";

/** A grey that is darker or lighter counts as black or white: no theme dims text with them. */
const DARKEST = 24;
const LIGHTEST = 231;
/** Black and white of the 16 terminal colours and of the colour cube. */
const EXTREMES: ReadonlySet<number> = new Set([0, 15, 16, 231]);

/** Returns the style of the cell at a position. */
export function lookAt(screen: TuiScreen, row: number, col: number): Look {
  const cell = screen.cellsOf(row)[col];
  return cell === undefined ? "unknown" : lookOf(cell);
}

/** Returns the class of a cell's style. Themes dim text with the attribute or with a grey, which differs between themes. */
export function lookOf({ style }: Cell): Look {
  if (style.attributes.includes("dim") || isGrey(style.fg)) return "faint";
  if (style.fg !== "default") return "colored";
  return style.attributes.length > 0 || style.bg !== "default" ? "other" : "default";
}

/** Returns whether the cell has a background colour. */
export function hasBackground(screen: TuiScreen, row: number, col: number): boolean {
  const style = screen.cellsOf(row)[col]?.style;
  return style !== undefined && (style.bg !== "default" || style.attributes.includes("inverse"));
}

/**
 * Returns whether the program uses colours. Without colours (NO_COLOR, plain captures) a plain style proves nothing.
 */
export function hasColor(screen: TuiScreen, rows: readonly number[]): boolean {
  return rows.some((row) => screen.cellsOf(row).some(isPainted));
}

function isPainted({ style }: Cell): boolean {
  return style.fg !== "default" || style.bg !== "default";
}

function isGrey(color: CellColor): boolean {
  if (color === "default" || hasHue(color)) return false;
  if (typeof color === "number") return !EXTREMES.has(color);
  const [low, high] = channelRange(color);
  return high > DARKEST && low < LIGHTEST;
}
