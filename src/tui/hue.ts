import type { CellColor } from "agent-tty";

/** The largest difference between the channels of a colour that still counts as grey. */
const GREY_SPREAD = 24;
const GREY_RAMP_FIRST = 232;
/** Black, white and the greys between them: of the 16 terminal colours and of the 6×6×6 colour cube. */
const GREYS: ReadonlySet<number> = new Set([0, 7, 8, 15, 16, 59, 102, 145, 188, 231]);

/** Returns whether a colour is neither the terminal's default nor black, white or grey. */
export function hasHue(color: CellColor): boolean {
  if (color === "default") return false;
  if (typeof color === "number") return color < GREY_RAMP_FIRST && !GREYS.has(color);
  const [low, high] = channelRange(color);
  return high - low > GREY_SPREAD;
}

/** Returns the smallest and the largest channel of #rrggbb, from 0 to 255. */
export function channelRange(color: string): [low: number, high: number] {
  const channels = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
  return [Math.min(...channels), Math.max(...channels)];
}
