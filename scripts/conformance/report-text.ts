import type { CaseReport, Gate, Verdict } from "./case-report.ts";
import type { Counts, Report } from "./report.ts";

const NAMES: Record<Verdict["type"], string> = {
  passed: "passed",
  differs: "differing",
  documented: "differing as documented",
  "not-expressible": "not expressible",
  "not-covered": "not covered yet",
};

/** The report for people: each file with its counts, then every case that did not simply pass. */
export function reportText(report: Report): string {
  const blank = report.files.filter(({ status }) => status === "not-covered").map(({ file }) => file);
  const lines = [
    ...report.files.flatMap((file) => {
      if (file.status === "not-covered") return [];
      if (file.status === "unreadable") return [file.file, `  cannot be read: ${file.problem}`, ""];
      return [file.file, ...countLines(file.counts), ...file.cases.flatMap(caseLines), ""];
    }),
    ...(blank.length === 0 ? [] : ["not covered yet", ...blank.map((file) => `  ${file}`), ""]),
    "total",
    ...countLines(report.total),
    report.holds ? "no asserted case differs" : "asserted cases differ, or a file cannot be read",
  ];
  return `${lines.join("\n")}\n`;
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
