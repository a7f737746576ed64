import type { TuiScreen } from "../tui-screen.ts";
import { isRule } from "./composer.ts";
import { hasBackground } from "./looks.ts";

/** The choices of an open dialog on the current screen. */
export interface Choices {
  /** The labels without their numbers. */
  labels: readonly string[];
  /** Index into `labels` of the preselected row, which Enter would choose. Defaults differ between versions. */
  selected: number;
  firstRow: number;
  selectedRow: number;
}

const ROWS_MAX = 40;
/** A list may mark the present value with `✔` in a column between the sign and the labels. */
const SELECTED = /^( {0,4}[❯>] (?:✔ | {2})?)(\d+\. )?(\S.*)$/;
const NUMBERED = /^ {0,6}(?:[❯>] )?\d+\. \S/;
/** Lines at the end of a dialog that name its keys. */
const KEYS = /\b(?:Esc(?:ape)?|Enter|Tab)\b(?: again)? to \S|↑\/↓ to navigate/i;

/** The number of columns at the right edge that Claude Code may leave free when it wraps a label. */
const WRAP_MARGIN = 6;

/**
 * Returns the choices of an open dialog, or null if there is none. If the cursor is on a selected row, that row counts. Older
 * versions leave the cursor elsewhere: then the lowest selected row counts if numbers or a line of keys prove it.
 */
export function findChoices(screen: TuiScreen): Choices | null {
  const selectedRow = selectedRowOf(screen);
  if (selectedRow === null) return null;
  const { lines } = screen;
  const [, indent = "", numbering] = SELECTED.exec(lines[selectedRow] ?? "") ?? [];
  const labelRows =
    numbering === undefined
      ? rowsInColumn(lines, selectedRow, indent.length)
      : rowsByNumber(lines, selectedRow, Number.parseInt(numbering, 10));
  return {
    labels: labelRows.map((row) => labelAt(screen, row)),
    selected: labelRows.indexOf(selectedRow),
    firstRow: labelRows[0] ?? selectedRow,
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

/**
 * Returns the rows with consecutive numbers around the selected row. Wrapped labels, rulers and descriptions may lie between
 * them.
 */
function rowsByNumber(lines: readonly string[], selectedRow: number, selected: number): number[] {
  const rows = [selectedRow];
  for (const step of [-1, 1]) {
    let number = selected + step;
    for (let row = selectedRow + step; Math.abs(row - selectedRow) <= ROWS_MAX && number >= 1; row += step) {
      const line = lines[row] ?? "";
      if (line.trim() === "") break;
      if (!new RegExp(`^ {0,6}${number}\\. \\S`).test(line)) continue;
      rows.push(row);
      number += step;
    }
  }
  return rows.toSorted((a, b) => a - b);
}

/**
 * Returns the rows of choices without numbers: labels are directly under one another in the selected row's column, and wrapped
 * rows are indented further.
 */
function rowsInColumn(lines: readonly string[], selectedRow: number, labelCol: number): number[] {
  const rows = [selectedRow];
  for (const step of [-1, 1]) {
    for (let row = selectedRow + step; Math.abs(row - selectedRow) <= ROWS_MAX; row += step) {
      const line = (lines[row] ?? "").replace(/^( +)✔ /, "$1  ");
      const col = line.search(/\S/);
      if (col < labelCol || isRule(line)) break;
      if (col === labelCol) rows.push(row);
    }
  }
  return rows.toSorted((a, b) => a - b);
}

/**
 * Returns the label at a row. A label that fills its row is joined with the next row. A description under a shorter label is not
 * part of it.
 */
function labelAt({ lines, cols }: TuiScreen, labelRow: number): string {
  const words = [(lines[labelRow] ?? "").replace(/^ *(?:[❯>] +)?(?:✔ )?(?:\d+\. )?/, "")];
  for (let row = labelRow + 1; row <= labelRow + ROWS_MAX; row += 1) {
    const next = lines[row] ?? "";
    const word = /^ {3,}(\S+)/.exec(next)?.[1] ?? "";
    const isFull = (lines[row - 1] ?? "").length + 1 + word.length > cols - WRAP_MARGIN;
    if (word === "" || isRule(next) || NUMBERED.test(next) || !isFull) break;
    words.push(next.trim());
  }
  return words.join(" ");
}
