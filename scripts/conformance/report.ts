import {
  type Fault,
  missedThresholds,
  type ScoredCell,
  type ScoredEnd,
  summarise,
  type TrackingSummary,
} from "../../test/support/tui-recordings/index.ts";
import type { CaseReport, Gate, Verdict } from "./case-report.ts";
import type { FileReport } from "./check-directory.ts";
import type { Difference } from "./tracking/difference.ts";

/** The number of cases of each verdict; `cases` is their sum. */
export type Counts = { cases: number } & Record<Verdict["type"], number>;

export interface Report {
  schema: "afk-triage/conformance@1";
  directory: string;
  /** Whether no asserted case differs, no threshold is missed and every file of a covered family could be read. */
  holds: boolean;
  /** Over all recordings. */
  summary: TrackingSummary;
  tracking: TrackingCounts;
  missedThresholds: readonly string[];
  files: readonly ReportedFile[];
  total: Record<Gate, Counts>;
}

export type ReportedFile =
  | { file: string; status: "covered"; cases: readonly CaseReport[]; counts: Record<Gate, Counts> }
  | {
      file: string;
      status: "tracked";
      truth: "read" | "missing";
      summary: TrackingSummary;
      tracking: TrackingCounts;
      differences: readonly Difference[];
      cases: readonly CaseReport[];
      counts: Record<Gate, Counts>;
    }
  | { file: string; status: "not-covered" }
  | { file: string; status: "unreadable"; problem: string };

/** The compared values and their differences. */
export interface TrackingCounts {
  cells: number;
  /** The number of cells that were seen in each phase, by their true label. */
  confusion: Readonly<Record<string, Record<"ready" | "active" | "unknown", number>>>;
  faults: Readonly<Partial<Record<Fault, number>>>;
  /** Ends of Turns by result, and how many of them were never seen. */
  ends: Readonly<Record<string, { count: number; missed: number }>>;
}

export function buildReport(directory: string, files: readonly FileReport[]): Report {
  const cells = files.flatMap((file) => (file.status === "tracked" ? file.tracked.cells : []));
  const ends = files.flatMap((file) => (file.status === "tracked" ? file.tracked.ends : []));
  const total = countsByGate(files.flatMap(casesOf));
  const summary = summarise(cells, ends);
  const missed = missedThresholds(cells, summary);
  const isReadable = files.every(({ status }) => status !== "unreadable");
  return {
    schema: "afk-triage/conformance@1",
    directory,
    holds: total.asserted.differs === 0 && missed.length === 0 && isReadable,
    summary,
    tracking: trackingCounts(cells, ends),
    missedThresholds: missed,
    files: files.flatMap(reported),
    total,
  };
}

function reported(report: FileReport): ReportedFile[] {
  switch (report.status) {
    case "companion":
      return [];
    case "not-covered":
    case "unreadable":
      return [report];
    case "covered":
      return [{ ...report, counts: countsByGate(report.cases) }];
    case "tracked": {
      const { file, status, truth, tracked, cases } = report;
      const { cells, ends, differences } = tracked;
      const figures = { summary: summarise(cells, ends), tracking: trackingCounts(cells, ends) };
      return [{ file, status, truth, ...figures, differences, cases, counts: countsByGate(cases) }];
    }
    default:
      return report satisfies never;
  }
}

function trackingCounts(cells: readonly ScoredCell[], ends: readonly ScoredEnd[]): TrackingCounts {
  const confusion: Record<string, Record<"ready" | "active" | "unknown", number>> = {};
  const faults: Partial<Record<Fault, number>> = {};
  for (const cell of cells) {
    const label = cell.draft && cell.label === "active" ? "active with a draft" : cell.label;
    const seen = (confusion[label] ??= { ready: 0, active: 0, unknown: 0 });
    seen[cell.seen?.phase ?? "unknown"] += 1;
    for (const fault of cell.faults) faults[fault] = (faults[fault] ?? 0) + 1;
  }
  const byResult: Record<string, { count: number; missed: number }> = {};
  for (const { result, latencyMs } of ends) {
    const of = (byResult[result] ??= { count: 0, missed: 0 });
    of.count += 1;
    of.missed += latencyMs === null ? 1 : 0;
  }
  return { cells: cells.length, confusion, faults, ends: byResult };
}

function casesOf(file: FileReport): readonly CaseReport[] {
  return file.status === "covered" || file.status === "tracked" ? file.cases : [];
}

function countsByGate(cases: readonly CaseReport[]): Record<Gate, Counts> {
  const of = (gate: Gate): Counts => countVerdicts(cases.filter((report) => report.gate === gate));
  return { asserted: of("asserted"), observed: of("observed") };
}

function countVerdicts(cases: readonly CaseReport[]): Counts {
  const of = (type: Verdict["type"]): number => cases.filter(({ verdict }) => verdict.type === type).length;
  return {
    cases: cases.length,
    passed: of("passed"),
    differs: of("differs"),
    documented: of("documented"),
    "not-expressible": of("not-expressible"),
    "not-covered": of("not-covered"),
  };
}
