import type { ReportRow, SweepReport } from "./sweep-report.ts";

const COLUMNS = [
  "repo",
  "number",
  "title",
  "verdict",
  "detail",
  "people",
  "reactions",
  "createdAt",
  "labels",
  "evidence",
  "closeAfter",
  "close",
  "isOpen",
  "url",
  "commentUrl",
] as const satisfies readonly (keyof ReportRow)[];

/**
 * Returns the report as CSV (RFC 4180), one line per issue. A text that a spreadsheet would interpret as a formula gets a leading
 * apostrophe.
 */
export function reportCsv({ issues }: SweepReport): string {
  const rows = issues.map((row) => COLUMNS.map((column) => cell(row[column])).join(","));
  return [COLUMNS.join(","), ...rows, ""].join("\r\n");
}

function cell(value: ReportRow[keyof ReportRow]): string {
  const text = typeof value === "object" ? value.join(" ") : String(value);
  const inert = typeof value === "number" || !/^[=+\-@\t\r]/.test(text) ? text : `'${text}`;
  return /[",\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}
