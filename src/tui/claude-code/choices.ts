import type { TuiScreen } from "../tui-screen.ts";
import { isRule } from "./composer.ts";
import { hasBackground } from "./looks.ts";

/** The rows of choice of an open dialog, as they are on the screen now. */
export interface Choices {
  /** Without their numbers. */
  labels: readonly string[];
  /** Index into `labels` of the preselected row: what Enter would take. Defaults differ between versions. */
  selected: number;
  firstRow: number;
  selectedRow: number;
}

const SELECTED = /^( {0,4})[❯>] (\d+\. )?(\S.*)$/;
const NUMBERED = /^ {0,6}(?:[❯>] )?\d+\. \S/;
/** Lines at the end of a dialog that say which keys it takes. */
const KEYS = /\b(?:Esc(?:ape)?|Enter|Tab)\b(?: again)? to \S|↑\/↓ to navigate/i;

/**
 * Where the cursor is known to mark the selected row it decides. Older versions park it elsewhere: then the lowest
 * selected row counts if numbers or a line of keys prove it.
 */
export function findChoices(screen: TuiScreen): Choices | null {
  const selectedRow = selectedRowOf(screen);
  if (selectedRow === null) return null;
  const { lines } = screen;
  const match = SELECTED.exec(lines[selectedRow] ?? "");
  const labelCol = (match?.[1] ?? "").length + 2;
  const row = { labelCol, isNumbered: match?.[2] !== undefined };
  const above = takeLabels(lines.slice(0, selectedRow).toReversed(), row);
  const below = takeLabels(lines.slice(selectedRow + 1), row);
  const before = above.labels.toReversed();
  return {
    labels: [...before, match?.[3] ?? "", ...below.labels],
    selected: before.length,
    firstRow: selectedRow - above.rows,
    selectedRow,
  };
}

/** Arrow keys that move the selection to `wanted`; none when it is there. */
export function keysToSelect(selected: number, wanted: number): string[] {
  const key = wanted < selected ? "Up" : "Down";
  return Array.from({ length: Math.abs(wanted - selected) }, () => key);
}

function selectedRowOf({ lines, cursor, ...screen }: TuiScreen): number | null {
  if (cursor !== null && SELECTED.test(lines[cursor.row] ?? "")) return cursor.row;
  const row = lines.findLastIndex((line) => SELECTED.test(line));
  if (row === -1 || hasBackground({ lines, cursor, ...screen }, row, 2)) return null;
  const isProven = NUMBERED.test(lines[row] ?? "") || lines.slice(row + 1).some((line) => KEYS.test(line));
  return isProven ? row : null;
}

interface LabelRows {
  labels: string[];
  rows: number;
}

/** Labels stand in one column; what is indented deeper goes on with the label above it. */
function takeLabels(lines: readonly string[], look: { labelCol: number; isNumbered: boolean }): LabelRows {
  const labels: string[] = [];
  let rows = 0;
  for (const [index, line] of lines.entries()) {
    const indent = line.search(/\S/);
    const label = isRule(line) || indent === -1 ? null : labelOf(line, indent, look);
    if (label !== null) {
      labels.push(label);
      rows = index + 1;
    } else if (!look.isNumbered || (!isRule(line) && indent !== -1 && indent <= look.labelCol)) break;
  }
  return { labels, rows };
}

function labelOf(
  line: string,
  indent: number,
  { labelCol, isNumbered }: { labelCol: number; isNumbered: boolean },
): string | null {
  if (indent < labelCol - 2 || indent > labelCol + 2) return null;
  const numbered = /^ *\d+\. (\S.*)$/.exec(line)?.[1];
  if (isNumbered) return numbered ?? null;
  return indent === labelCol ? line.trim() : null;
}
