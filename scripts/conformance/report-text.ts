import type { CaseReport, Gate, Verdict } from "./case-report.ts";
import type { Counts, Report, ReportedFile } from "./report.ts";
import { differenceLines, trackingLines } from "./tracking/tracking-text.ts";

const NAMES: Record<Verdict["type"], string> = {
  passed: "passed",
  differs: "differing",
  documented: "differing as documented",
  "not-expressible": "not expressible",
  "not-covered": "not covered yet",
};

/**
 * Returns the report as text: each file with its counts, then every case that did not simply pass, then how well TUIs were
 * tracked.
 */
export function reportText(report: Report, { isVerbose }: { isVerbose: boolean }): string {
  const named = (status: "not-covered"): string[] =>
    report.files.filter((file) => file.status === status).map(({ file }) => file);
  const lines = [
    ...report.files.flatMap(fileLines),
    ...listed("not covered yet", named("not-covered")),
    ...listed(
      "without a truth",
      report.files.filter(isWithoutTruth).map(({ file }) => file),
    ),
    ...differenceLines(report.files, isVerbose),
    ...trackingLines(report),
    "total",
    ...countLines(report.total),
    report.holds
      ? "no asserted case differs"
      : "asserted cases differ, a threshold is missed, or a file cannot be read",
  ];
  return `${lines.join("\n")}\n`;
}

function fileLines(file: ReportedFile): string[] {
  switch (file.status) {
    case "not-covered":
      return [];
    case "unreadable":
      return [file.file, `  cannot be read: ${file.problem}`, ""];
    case "covered":
      return [file.file, ...countLines(file.counts), ...file.cases.flatMap(caseLines), ""];
    case "tracked":
      // The cells of a recording are shown later with their screens, for all recordings together.
      return file.cases.length === 0
        ? []
        : [file.file, ...countLines(file.counts), ...file.cases.flatMap(caseLines), ""];
    default:
      return file satisfies never;
  }
}

function isWithoutTruth(file: ReportedFile): boolean {
  return file.status === "tracked" && file.truth === "missing";
}

function listed(title: string, files: readonly string[]): string[] {
  return files.length === 0 ? [] : [title, ...files.map((file) => `  ${file}`), ""];
}

function countLines(counts: Record<Gate, Counts>): string[] {
  return (["asserted", "observed"] as const)
    .filter((gate) => gate === "asserted" || counts[gate].cases > 0)
    .map((gate) => {
      const { cases, ...verdicts } = counts[gate];
      const parts = Object.entries(verdicts)
        .filter(([type, count]) => count > 0 || type === "passed" || type === "differs")
        .map(([type, count]) => `${count} ${NAMES[type as Verdict["type"]]}`);
      return `  ${gate}: ${cases} cases: ${parts.join(", ")}`;
    });
}

function caseLines({ id, gate, verdict }: CaseReport): string[] {
  const head = `    ${NAMES[verdict.type]}${gate === "observed" ? " (observed)" : ""}: ${id}`;
  switch (verdict.type) {
    case "passed":
      return [];
    case "differs":
      return [head, ...values(verdict)];
    case "documented":
      return [`${head}: ${verdict.reason}`, ...values(verdict)];
    case "not-expressible":
    case "not-covered":
      return [`${head}: ${verdict.reason}`];
    default:
      return verdict satisfies never;
  }
}

function values({ expected, seen }: { expected: unknown; seen: unknown }): string[] {
  return [`      expected ${JSON.stringify(expected)}`, `      seen     ${JSON.stringify(seen)}`];
}
