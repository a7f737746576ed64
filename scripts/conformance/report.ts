import type { CaseReport, Gate, Verdict } from "./case-report.ts";
import type { FileReport } from "./check-directory.ts";

/** How many cases of each verdict; `cases` is their sum. */
export type Counts = { cases: number } & Record<Verdict["type"], number>;

export interface Report {
  schema: "afk-triage/conformance@1";
  directory: string;
  /** Whether no asserted case differs and every file of a covered family could be read. */
  holds: boolean;
  files: (FileReport & { counts: Record<Gate, Counts> })[];
  total: Record<Gate, Counts>;
}

export function buildReport(directory: string, files: readonly FileReport[]): Report {
  const total = countsByGate(files.flatMap(casesOf));
  return {
    schema: "afk-triage/conformance@1",
    directory,
    holds: total.asserted.differs === 0 && files.every(({ status }) => status !== "unreadable"),
    files: files.map((file) => ({ ...file, counts: countsByGate(casesOf(file)) })),
    total,
  };
}

function casesOf(file: FileReport): readonly CaseReport[] {
  return file.status === "covered" ? file.cases : [];
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
