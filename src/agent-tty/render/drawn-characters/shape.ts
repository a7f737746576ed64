/** Part of a character drawn by code, in pixels from the cell's top left corner. */
export type Shape =
  | { type: "rect"; x: number; y: number; width: number; height: number; opacity: number }
  /** `path` in the syntax of SVG path data. */
  | { type: "fill"; path: string }
  | { type: "stroke"; path: string; lineWidth: number };

/** Returns a filled rectangle, in pixels from the cell's top left corner. `opacity` is from 0 to 1. */
export function rect(x: number, y: number, width: number, height: number, opacity = 1): Shape {
  return { type: "rect", x, y, width, height, opacity };
}
