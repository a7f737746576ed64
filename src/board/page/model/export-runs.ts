import type { RunRowDocument } from "../../api/index.ts";
import type { BoardData } from "../data/index.ts";
import { elapsedMs, resultOf, type RunFilters, shownStatus } from "../selection/index.ts";

const PAGE = 1_000;
/** The maximum number of runs in one export. */
const MAX_RUNS = 200_000;

export type ExportFormat = "csv" | "json";

const COLUMNS: readonly (readonly [string, (run: RunRowDocument) => string | number | null])[] = [
  ["repository", ({ repo }) => repo],
  ["issue", ({ number }) => number],
  ["title", ({ title }) => title],
  ["batch", ({ runId }) => runId],
  ["status", shownStatus],
  ["phase", ({ phase }) => phase],
  ["outcome", resultOf],
  ["reason", ({ end }) => end?.reason ?? null],
  ["category", ({ category }) => category],
  ["evidence", ({ evidence }) => evidence?.text ?? null],
  ["started", ({ startedAtMs }) => new Date(startedAtMs).toISOString()],
  ["settled", ({ settledAtMs }) => (settledAtMs === null ? null : new Date(settledAtMs).toISOString())],
  ["seconds", (run) => (run.settledAtMs === null ? null : Math.round(elapsedMs(run, 0) / 1_000))],
  ["usd", ({ usage }) => usage?.usd ?? null],
  ["url", ({ issueUrl }) => issueUrl],
];

/** Returns every run that matches the filters as one file (B10). Rejects when the data cannot be read. */
export async function exportRuns(
  data: BoardData,
  filters: RunFilters,
  format: ExportFormat,
  signal: AbortSignal,
): Promise<Blob> {
  const runs: RunRowDocument[] = [];
  let after: string | null = null;
  do {
    const page = await data.runs(filters, { after, limit: PAGE }, signal);
    runs.push(...page.runs);
    after = page.next;
  } while (after !== null && runs.length < MAX_RUNS);
  return format === "csv"
    ? new Blob([csvOf(runs)], { type: "text/csv;charset=utf-8" })
    : new Blob([JSON.stringify(runs, null, 2)], { type: "application/json" });
}

/** Returns runs as RFC 4180 text with a header line. */
export function csvOf(runs: readonly RunRowDocument[]): string {
  const lines = [
    COLUMNS.map(([name]) => name),
    ...runs.map((run) => COLUMNS.map(([, read]) => cell(read(run)))),
  ];
  return `${lines.map((line) => line.join(",")).join("\r\n")}\r\n`;
}

/**
 * Returns the text of a cell. A text that a spreadsheet would treat as a formula gets a leading apostrophe, because titles are not
 * trusted.
 */
function cell(value: string | number | null): string {
  if (typeof value !== "string") return value === null ? "" : String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
