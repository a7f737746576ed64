import { CELL_HEIGHT as H, CELL_WIDTH as W } from "../cell-size.ts";
import type { Shape } from "./shape.ts";

const ROUND = `A${W} ${H / 2} 0 0`;
const OUTLINE_WIDTH = 1;

/** U+E0B0–E0B7: the separators of status lines, pointed and round, filled and as outlines. */
const PATHS: readonly string[] = [
  `M0 0L${W} ${H / 2}L0 ${H}Z`,
  `M0 0L${W} ${H / 2}L0 ${H}`,
  `M${W} 0L0 ${H / 2}L${W} ${H}Z`,
  `M${W} 0L0 ${H / 2}L${W} ${H}`,
  `M0 0${ROUND} 1 0 ${H}Z`,
  `M0 0${ROUND} 1 0 ${H}`,
  `M${W} 0${ROUND} 0 ${W} ${H}Z`,
  `M${W} 0${ROUND} 0 ${W} ${H}`,
];

/**
 * Returns the shapes of a Powerline separator (U+E0B0 and following); empty for a code point that is not drawn here.
 */
export function powerlineShapes(code: number): Shape[] {
  const path = PATHS[code - 0xe0b0];
  if (path === undefined) return [];
  return [path.endsWith("Z") ? { type: "fill", path } : { type: "stroke", path, lineWidth: OUTLINE_WIDTH }];
}
