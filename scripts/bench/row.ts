/** One line of the table: the measured value, its raw limit from the same run, and the requirement. */
export interface BenchRow {
  row: string;
  what: string;
  measured: string;
  /** The lower bound: measured in the same run, without the engine. */
  rawLimit: string;
  ratio: number | null;
  requirement: string;
  verdict: "met" | "not met" | "not measured" | "information";
}

export function judged(row: Omit<BenchRow, "verdict">, isMet: boolean): BenchRow {
  return { ...row, verdict: isMet ? "met" : "not met" };
}

export function notMeasured(row: string, what: string, reason: string, requirement: string): BenchRow {
  return { row, what, measured: reason, rawLimit: "–", ratio: null, requirement, verdict: "not measured" };
}

export function tableText(rows: readonly BenchRow[]): string {
  const header = ["row", "what", "measured", "raw limit", "ratio", "requirement", "verdict"];
  const lines = rows.map(({ row, what, measured, rawLimit, ratio, requirement, verdict }) => [
    row,
    what,
    measured,
    rawLimit,
    ratio === null ? "–" : ratio.toFixed(2),
    requirement,
    verdict,
  ]);
  return alignedLines([header, ...lines]).join("\n");
}

/** Returns the rows as lines with columns of equal width. */
export function alignedLines(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}

export function milliseconds(value: number): string {
  return value >= 1000 ? `${(value / 1000).toFixed(2)} s` : `${value.toFixed(value < 10 ? 2 : 0)} ms`;
}
