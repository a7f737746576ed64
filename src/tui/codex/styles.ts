import type { CellAttribute } from "agent-tty";
import type { TuiScreen } from "../tui-screen.ts";

/** Returns whether a cell has the attribute. It also returns false if only the text was captured. */
export function hasAttribute(screen: TuiScreen, row: number, col: number, attribute: CellAttribute): boolean {
  return screen.cellsOf(row)[col]?.style.attributes.includes(attribute) === true;
}

/** Returns whether no cell of the row is bold, dim or otherwise styled: plain text, or a capture without styles. */
export function isPlainRow(screen: TuiScreen, row: number): boolean {
  return screen.cellsOf(row).every(({ style }) => style.attributes.length === 0);
}
