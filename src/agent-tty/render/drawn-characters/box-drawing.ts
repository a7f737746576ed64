import { CELL_HEIGHT as H, CELL_WIDTH as W } from "../cell-size.ts";
import { boxArms } from "./box-arms.ts";
import { rect, type Shape } from "./shape.ts";

const LIGHT = 1;
const HEAVY = 3;
/** Distance from the middle of a double line to each of its two lines, in pixels. */
const RAIL = 2;
/** Top left pixel of the crossing of two light lines. */
const MIDDLE_X = (W - LIGHT - 1) / 2;
const MIDDLE_Y = (H - LIGHT - 1) / 2;
const CENTER_X = MIDDLE_X + LIGHT / 2;
const CENTER_Y = MIDDLE_Y + LIGHT / 2;

type Arm = "none" | "light" | "heavy" | "double";
const ARMS: readonly Arm[] = ["none", "light", "heavy", "double"];

/** Returns the shapes of a box drawing character (U+2500–257F). */
export function boxShapes(code: number): Shape[] {
  const dashes = dashesOf(code);
  if (dashes !== null) return dashShapes(code, dashes);
  if (code >= 0x256d && code <= 0x2570) return [arc(code)];
  if (code >= 0x2571 && code <= 0x2573) return diagonals(code);
  const [up, right, down, left] = Array.from(boxArms(code), (digit) => ARMS[Number(digit)] ?? "none") as [
    Arm,
    Arm,
    Arm,
    Arm,
  ];
  return [
    ...arm(right, left, up, down, (from, across, thickness) =>
      rect(MIDDLE_X + from, MIDDLE_Y + across, W - MIDDLE_X - from, thickness),
    ),
    ...arm(left, right, up, down, (from, across, thickness) =>
      rect(0, MIDDLE_Y + across, MIDDLE_X + LIGHT - from, thickness),
    ),
    ...arm(down, up, left, right, (from, across, thickness) =>
      rect(MIDDLE_X + across, MIDDLE_Y + from, thickness, H - MIDDLE_Y - from),
    ),
    ...arm(up, down, left, right, (from, across, thickness) =>
      rect(MIDDLE_X + across, 0, thickness, MIDDLE_Y + LIGHT - from),
    ),
  ];
}

/**
 * Places a line: `from` is where it starts along its direction, `across` its offset to the side; both are measured from the
 * crossing.
 */
type Place = (from: number, across: number, thickness: number) => Shape;

/** Returns one arm, from the crossing outwards. `before` and `after` are the arms to its sides, in order of rising coordinate. */
function arm(kind: Arm, opposite: Arm, before: Arm, after: Arm, place: Place): Shape[] {
  switch (kind) {
    case "none":
      return [];
    case "light":
      return [place(singleStart(opposite, before, after), 0, LIGHT)];
    case "heavy":
      return [place(Math.min(singleStart(opposite, before, after), heavyStart(before, after)), -1, HEAVY)];
    case "double":
      return [place(railStart(before, after), -RAIL, LIGHT), place(railStart(after, before), RAIL, LIGHT)];
    default:
      return kind satisfies never;
  }
}

/**
 * Returns where a single line starts: it stops at the nearer rail of a double line that continues past it, and covers a double
 * corner.
 */
function singleStart(opposite: Arm, before: Arm, after: Arm): number {
  if (before === "double" && after === "double") return opposite === "none" ? RAIL : 0;
  if (before === "double" || after === "double") return opposite === "none" ? -RAIL : 0;
  return before === "heavy" || after === "heavy" ? heavyStart(before, after) : 0;
}

/** Returns where a line starts that covers the thickness of a crossing heavy line, so that the corner is complete. */
function heavyStart(before: Arm, after: Arm): number {
  return before === "heavy" || after === "heavy" ? -1 : 0;
}

/** Returns where the rail on the side of `near` starts: on the inside of a turn, on its outside, or in the middle. */
function railStart(near: Arm, far: Arm): number {
  if (near === "double") return RAIL;
  return far === "double" ? -RAIL : 0;
}

/**
 * Returns the shapes of U+23BE and U+23BF: a full-height light vertical with a light line along the top or the bottom. TUIs draw
 * trees with them.
 */
export function bracketShapes(code: number): Shape[] {
  const y = code === 0x23be ? 0 : H - LIGHT;
  return [rect(MIDDLE_X, 0, LIGHT, H), rect(MIDDLE_X, y, W - MIDDLE_X, LIGHT)];
}

function dashesOf(code: number): number | null {
  if (code >= 0x2504 && code <= 0x2507) return 3;
  if (code >= 0x2508 && code <= 0x250b) return 4;
  return code >= 0x254c && code <= 0x254f ? 2 : null;
}

/**
 * Returns the shapes of a dashed line. Every group of four characters consists of light and heavy horizontal, light and heavy
 * vertical.
 */
function dashShapes(code: number, count: number): Shape[] {
  const isHeavy = code % 2 === 1;
  const isVertical = code % 4 >= 2;
  const [thickness, across] = isHeavy ? [HEAVY, -1] : [LIGHT, 0];
  const length = isVertical ? H : W;
  return Array.from({ length: count }, (_, index) => {
    const start = Math.round((length * index) / count);
    const size = Math.max(
      1,
      Math.round((length * (index + 1)) / count) - start - Math.ceil(length / count / 3),
    );
    return isVertical
      ? rect(MIDDLE_X + across, start, thickness, size)
      : rect(start, MIDDLE_Y + across, size, thickness);
  });
}

/** Returns the shape of a round corner (U+256D–2570), whose straight ends meet those of the neighbours. */
function arc(code: number): Shape {
  const isDown = code <= 0x256e;
  const isRight = code === 0x256d || code === 0x2570;
  const [x, y] = [isRight ? W : 0, isDown ? H : 0];
  // The arc ends a pixel before the cell does, so that the last pixel is as dark as the neighbour's first.
  const radius = W / 2 - 1.5;
  const endX = CENTER_X + (isRight ? radius : -radius);
  const endY = CENTER_Y + (isDown ? radius : -radius);
  const path = `M${CENTER_X} ${y}L${CENTER_X} ${endY}Q${CENTER_X} ${CENTER_Y} ${endX} ${CENTER_Y}L${x} ${CENTER_Y}`;
  return { type: "stroke", path, lineWidth: LIGHT };
}

function diagonals(code: number): Shape[] {
  const [rising, falling] = [`M0 ${H}L${W} 0`, `M0 0L${W} ${H}`];
  const path = code === 0x2571 ? rising : code === 0x2572 ? falling : rising + falling;
  return [{ type: "stroke", path, lineWidth: LIGHT }];
}
