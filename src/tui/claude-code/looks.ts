import type { Cell, CellColor } from "agent-tty";
import type { TuiScreen } from "../tui-screen.ts";

/** The style of a cell; `unknown` if only text was captured. */
export type Look = "default" | "faint" | "colored" | "other" | "unknown";

/** The largest difference between the channels of a colour that still counts as grey. */
const GREY_SPREAD = 24;
const DARKEST = 24;
const LIGHTEST = 231;
const GREY_RAMP_FIRST = 232;
/** Light and dark grey of the 16 terminal colours, which themes of 16 colours use for dim text. */
const BASE_GREYS: ReadonlySet<number> = new Set([7, 8]);
/** The greys of the 6×6×6 colour cube between black and white. */
const CUBE_GREYS: ReadonlySet<number> = new Set([59, 102, 145, 188]);

/** Returns the style of the cell at a position. */
export function lookAt(screen: TuiScreen, row: number, col: number): Look {
  const cell = screen.cellsOf(row)[col];
  return cell === undefined ? "unknown" : lookOf(cell);
}

/** Classifies a cell's style. Themes dim text with the attribute or with a grey, which differs between themes. */
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
  if (color === "default") return false;
  if (typeof color === "number")
    return color >= GREY_RAMP_FIRST || BASE_GREYS.has(color) || CUBE_GREYS.has(color);
  const channels = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
  const [low, high] = [Math.min(...channels), Math.max(...channels)];
  return high - low <= GREY_SPREAD && high > DARKEST && low < LIGHTEST;
}
