import { CELL_HEIGHT as H, CELL_WIDTH as W } from "../cell-size.ts";
import { rect, type Shape } from "./shape.ts";

/** The column and row of each bit of a braille pattern. */
const BRAILLE_DOTS = [
  [0, 0],
  [0, 1],
  [0, 2],
  [1, 0],
  [1, 1],
  [1, 2],
  [0, 3],
  [1, 3],
] as const;

const DOT = 2;

/** Returns the shapes of a braille pattern (U+2800–28FF) or a sextant (U+1FB00–1FB3B). */
export function mosaicShapes(code: number): Shape[] {
  return code <= 0x28ff ? brailleShapes(code - 0x2800) : sextantShapes(code - 0x1fb00);
}

function brailleShapes(bits: number): Shape[] {
  const [left, top] = [Math.floor((W / 2 - DOT) / 2), Math.floor((H / 4 - DOT) / 2)];
  return BRAILLE_DOTS.filter((_, bit) => (bits >> bit) & 1).map(([col, row]) =>
    rect((col * W) / 2 + left, (row * H) / 4 + top, DOT, DOT),
  );
}

/**
 * Returns the shapes of a sextant. The Unicode range leaves out the patterns that are already block elements: none, left half,
 * right half, all.
 */
function sextantShapes(index: number): Shape[] {
  const bits = index + 1 + (index >= 20 ? 1 : 0) + (index >= 40 ? 1 : 0);
  const edges = [0, Math.round(H / 3), Math.round((2 * H) / 3), H];
  return Array.from({ length: 6 }, (_, bit) => bit)
    .filter((bit) => (bits >> bit) & 1)
    .map((bit) => {
      const [top, bottom] = [edges[bit >> 1] ?? 0, edges[(bit >> 1) + 1] ?? H];
      return rect(((bit % 2) * W) / 2, top, W / 2, bottom - top);
    });
}
