import { displayWidth, wrapText } from "./text.ts";

const GAP = "  ";
/** The minimum width of a flexible column when even its longest words have to be broken. */
const NARROWEST = 12;

/**
 * Lays out rows as aligned columns. If the table is wider than `columns`, its `flexible` columns are narrowed, always the widest
 * one first, and none below its longest word as long as another one can give way; text that does not fit into a cell continues on
 * the next line. If that is not enough, the lines are wider than `columns`.
 */
export function layTable(
  rows: readonly (readonly string[])[],
  { columns, flexible }: { columns: number; flexible: readonly number[] },
): string[] {
  const widthsOf = (widthOf: (cell: string) => number): number[] =>
    (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => widthOf(row[column] ?? ""))));
  const widths = widthsOf(displayWidth);
  const longestWords = widthsOf((cell) => Math.max(...cell.split(/\s+/).map(displayWidth)));
  const room = columns - GAP.length * (widths.length - 1);
  narrow(widths, room, flexible, (column) => Math.max(NARROWEST, longestWords[column] ?? 0));
  narrow(widths, room, flexible, () => NARROWEST);
  return rows.flatMap((row) => layRow(row, widths));
}

/** Narrows the widest of the columns step by step until all widths fit into `room`, or every column is at its minimum. */
function narrow(
  widths: number[],
  room: number,
  flexible: readonly number[],
  minimumOf: (column: number) => number,
): void {
  const width = (column: number): number => widths[column] ?? 0;
  let excess = widths.reduce((sum, each) => sum + each, 0) - room;
  for (; excess > 0; excess -= 1) {
    const [widest] = flexible
      .filter((column) => width(column) > minimumOf(column))
      .toSorted((one, other) => width(other) - width(one));
    if (widest === undefined) return;
    widths[widest] = width(widest) - 1;
  }
}

function layRow(row: readonly string[], widths: readonly number[]): string[] {
  const cells = row.map((cell, column) => wrapText(cell, Math.max(1, widths[column] ?? 1)));
  const height = Math.max(...cells.map(({ length }) => length));
  return Array.from({ length: height }, (_, line) =>
    cells
      .map((lines, column) => padText(lines[line] ?? "", widths[column] ?? 0))
      .join(GAP)
      .trimEnd(),
  );
}

function padText(text: string, columns: number): string {
  return text + " ".repeat(Math.max(0, columns - displayWidth(text)));
}
