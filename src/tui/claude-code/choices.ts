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

const ROWS_MAX = 40;
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
  const number = match?.[2] === undefined ? null : Number.parseInt(match[2], 10);
  const labelCol = (match?.[1] ?? "").length + 2;
  const above = lines.slice(Math.max(0, selectedRow - ROWS_MAX), selectedRow).toReversed();
  const below = lines.slice(selectedRow + 1, selectedRow + 1 + ROWS_MAX);
  const before = number === null ? columnLabels(above, labelCol) : countedLabels(above, number, -1);
  const after = number === null ? columnLabels(below, labelCol) : countedLabels(below, number, 1);
  return {
    labels: [...before.labels.toReversed(), match?.[3] ?? "", ...after.labels],
    selected: before.labels.length,
    firstRow: selectedRow - before.rows,
    selectedRow,
  };
}

function selectedRowOf(screen: TuiScreen): number | null {
  const { lines, cursor } = screen;
  const isSelected = (row: number): boolean =>
    SELECTED.test(lines[row] ?? "") && !hasBackground(screen, row, 2);
  if (cursor !== null && isSelected(cursor.row)) return cursor.row;
  const row = lines.findLastIndex((_, at) => isSelected(at));
  if (row === -1) return null;
  const isProven = NUMBERED.test(lines[row] ?? "") || lines.slice(row + 1).some((line) => KEYS.test(line));
  return isProven ? row : null;
}

interface LabelRows {
  labels: string[];
  rows: number;
}

/** Numbers run on from the selected row's. Between them labels wrap, and rules and descriptions stand. */
function countedLabels(lines: readonly string[], from: number, step: 1 | -1): LabelRows {
  const labels: string[] = [];
  let rows = 0;
  for (const [index, line] of lines.entries()) {
    if (line.trim() === "" || from + step * (labels.length + 1) < 1) break;
    const label = new RegExp(`^ {0,6}${from + step * (labels.length + 1)}\\. (\\S.*)$`).exec(line)?.[1];
    if (label === undefined) continue;
    labels.push(label);
    rows = index + 1;
  }
  return { labels, rows };
}

/** Without numbers labels stand right under one another, in the selected one's column. */
function columnLabels(lines: readonly string[], labelCol: number): LabelRows {
  const end = lines.findIndex((line) => isRule(line) || line.search(/\S/) !== labelCol);
  const labels = lines.slice(0, end === -1 ? undefined : end).map((line) => line.trim());
  return { labels, rows: labels.length };
}
