import type { TuiScreen } from "../../src/tui/index.ts";
import { ansiScreen } from "../support/tui-recordings/index.ts";

const CURSOR = "▮";

/** Returns a handwritten screen; `▮` is the terminal cursor and takes no column. */
export function drawnScreen(text: string): TuiScreen & { cursor: NonNullable<TuiScreen["cursor"]> } {
  const rows = text.split("\n");
  const row = rows.findIndex((line) => line.includes(CURSOR));
  // oxlint-disable-next-line no-control-regex
  const before = rows[row]?.split(CURSOR)[0]?.replaceAll(/\x1b\[[\d;]*m/g, "") ?? "";
  const cursor = { row: Math.max(0, row), col: before.length, visible: row !== -1 };
  return { ...ansiScreen(text.replace(CURSOR, "")), cursor };
}
