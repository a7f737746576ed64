const GAP = "  ";
const NARROWEST = 20;

/**
 * Rows as aligned columns, at most `columns` wide. The `flexible` ones give up width, the first one first; what does
 * not fit is cut and marked. Widths count code points: the demo's texts have no wide characters.
 */
export function fitTable(
  rows: readonly (readonly string[])[],
  options: { columns: number; flexible: readonly number[] },
): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => width(row[column] ?? ""))));
  let excess = widths.reduce((sum, one) => sum + one, GAP.length * (widths.length - 1)) - options.columns;
  for (const column of options.flexible) {
    const spare = Math.min(Math.max(0, excess), Math.max(0, (widths[column] ?? 0) - NARROWEST));
    widths[column] = (widths[column] ?? 0) - spare;
    excess -= spare;
  }
  return rows
    .map((row) => row.map((cell, column) => pad(fitText(cell, widths[column] ?? 0), widths[column] ?? 0)))
    .map((cells) => fitText(cells.join(GAP).trimEnd(), options.columns))
    .join("\n");
}

/** At most `columns` code points; a cut is marked. */
export function fitText(text: string, columns: number): string {
  const characters = Array.from(text);
  return characters.length <= columns ? text : `${characters.slice(0, Math.max(0, columns - 1)).join("")}…`;
}

/** Broken at single spaces into lines of at most `columns` code points, longer words excepted. */
export function wrapText(text: string, columns: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && width(line) + 1 + width(word) > columns) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

function pad(text: string, columns: number): string {
  return text + " ".repeat(Math.max(0, columns - width(text)));
}

function width(text: string): number {
  return Array.from(text).length;
}
