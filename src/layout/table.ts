import { displayWidth, wrapText } from "./text.ts";

const GAP = "  ";
/** The minimum width of a flexible column. */
const NARROWEST = 12;

/**
 * Lays out rows as aligned columns. The `flexible` columns are narrowed, the first one first, until the table is `columns` wide;
 * text that does not fit into a cell continues on the next line. If that is not enough, the lines are wider than `columns`.
 */
export function layTable(
  rows: readonly (readonly string[])[],
  { columns, flexible }: { columns: number; flexible: readonly number[] },
): string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => displayWidth(row[column] ?? ""))),
  );
  let excess = widths.reduce((sum, width) => sum + width, GAP.length * (widths.length - 1)) - columns;
  for (const column of flexible) {
    const width = widths[column] ?? 0;
    const spare = Math.min(Math.max(0, excess), Math.max(0, width - NARROWEST));
    widths[column] = width - spare;
    excess -= spare;
  }
  return rows.flatMap((row) => layRow(row, widths));
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
