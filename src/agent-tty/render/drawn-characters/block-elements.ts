import { CELL_HEIGHT as H, CELL_WIDTH as W } from "../cell-size.ts";
import { rect, type Shape } from "./shape.ts";

/** U+2596–259F, as bits for upper left, upper right, lower left, lower right. */
const QUADRANTS = ["0010", "0001", "1000", "1011", "1001", "1110", "1101", "0100", "0110", "0111"] as const;

/** Returns the shapes of a block element (U+2580–259F). */
export function blockShapes(code: number): Shape[] {
  if (code === 0x2580) return [rect(0, 0, W, H / 2)];
  if (code <= 0x2588) return lowerEighths(code - 0x2580);
  if (code <= 0x258f) return [rect(0, 0, Math.round((W * (0x2590 - code)) / 8), H)];
  if (code === 0x2590) return [rect(W / 2, 0, W / 2, H)];
  if (code <= 0x2593) return [rect(0, 0, W, H, (code - 0x2590) / 4)];
  if (code === 0x2594) return [rect(0, 0, W, Math.round(H / 8))];
  if (code === 0x2595) return [rect(W - Math.round(W / 8), 0, Math.round(W / 8), H)];
  return Array.from(QUADRANTS[code - 0x2596] ?? "").flatMap((isSet, index) =>
    isSet === "1" ? [rect(((index % 2) * W) / 2, (Math.floor(index / 2) * H) / 2, W / 2, H / 2)] : [],
  );
}

function lowerEighths(count: number): Shape[] {
  const height = Math.round((H * count) / 8);
  return [rect(0, H - height, W, height)];
}
