import type { Cell, CellColor } from "agent-tty";
import type { TuiScreen } from "../tui-screen.ts";

/** How a cell looks; `unknown` where only text was captured. */
export type Look = "default" | "faint" | "colored" | "other" | "unknown";

/** How far the channels of a colour may lie apart for it to be a grey. */
const GREY_SPREAD = 24;
const DARKEST = 24;
const LIGHTEST = 231;
const GREY_RAMP_FIRST = 232;
/** Of the 16 colours of a terminal: light grey and dark grey, which themes of 16 colours dim with. */
const BASE_GREYS: ReadonlySet<number> = new Set([7, 8]);
/** Of the 6×6×6 cube: its greys between black and white. */
const CUBE_GREYS: ReadonlySet<number> = new Set([59, 102, 145, 188]);

export function lookAt(screen: TuiScreen, row: number, col: number): Look {
  const cell = screen.cellsOf(row)[col];
  return cell === undefined ? "unknown" : lookOf(cell);
}

/** Themes dim by the attribute or by a grey of their own; which grey differs between them. */
export function lookOf({ style }: Cell): Look {
  if (style.attributes.includes("dim") || isGrey(style.fg)) return "faint";
  if (style.fg !== "default") return "colored";
  return style.attributes.length > 0 || style.bg !== "default" ? "other" : "default";
}

export function hasBackground(screen: TuiScreen, row: number, col: number): boolean {
  const style = screen.cellsOf(row)[col]?.style;
  return style !== undefined && (style.bg !== "default" || style.attributes.includes("inverse"));
}

/** Whether the program paints at all: without colours (NO_COLOR, bare captures) a plain look proves nothing. */
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
