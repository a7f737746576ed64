import type { SemanticSnapshot } from "agent-tty";

/** The rows of an open dialog, as they are on the screen now. */
export interface Choices {
  /** Without their number. */
  labels: readonly string[];
  /** Index into `labels` of the preselected row: what Enter would take. Defaults differ between versions. */
  selected: number;
}

export interface Dialog {
  choices: Choices;
  /** The rows between the dialog's upper rule and its choices, joined with spaces. */
  heading: string;
}

const SELECTED = /^ {1,4}❯ (?:\d+\. )?(\S.*)$/;
const UNSELECTED = /^ {3,6}(?:\d+\. )?(\S.*)$/;
/** Dialogs are short; a screen without an upper rule must not make its whole text the heading. */
const HEADING_MAX_ROWS = 30;

/**
 * Claude Code keeps the terminal cursor on the `❯` of the selected row. Text of the model that imitates a dialog
 * has no cursor in it, so nothing else is taken for one.
 */
export function readDialog({ visibleLines, cursor }: SemanticSnapshot): Dialog | null {
  const selectedLabel = SELECTED.exec(visibleLines[cursor.row] ?? "")?.[1];
  if (selectedLabel === undefined) return null;
  const above = takeLabels(visibleLines.slice(0, cursor.row).toReversed()).toReversed();
  const below = takeLabels(visibleLines.slice(cursor.row + 1));
  const firstRow = cursor.row - above.length;
  return {
    choices: { labels: [...above, selectedLabel, ...below], selected: above.length },
    heading: readHeading(visibleLines.slice(0, firstRow)),
  };
}

/** Arrow keys that move the selection to `wanted`; none when it is there. */
export function keysToSelect({ selected }: Choices, wanted: number): string[] {
  const key = wanted < selected ? "Up" : "Down";
  return Array.from({ length: Math.abs(wanted - selected) }, () => key);
}

function takeLabels(rows: readonly string[]): string[] {
  const labels: string[] = [];
  for (const row of rows) {
    const label = UNSELECTED.exec(row)?.[1];
    if (label === undefined) break;
    labels.push(label);
  }
  return labels;
}

function readHeading(rows: readonly string[]): string {
  const last = rows.slice(-HEADING_MAX_ROWS);
  const ruleIndex = last.findLastIndex((row) => /^─{10,}/.test(row));
  return last
    .slice(ruleIndex + 1)
    .map((row) => row.trim())
    .filter((row) => row !== "")
    .join(" ");
}
