import { readFileSync } from "node:fs";
import { join } from "node:path";

export const reportKinds = ["explicit", "proof", "plain", "language", "private", "form"] as const;
export type ReportKind = (typeof reportKinds)[number] | "everyday";

/** One report of the tables in test/fixtures/security-reports. `half`: the rule was tuned on one, and is measured on the other. */
export interface TableReport {
  kind: ReportKind;
  half: "tuned" | "kept-back";
  title: string;
  body: string;
  labels: string[];
}

/** Reads both tables: `# kind` begins a kind, `## title` a report, `labels:` its labels; the rest is its body. */
export function readSecurityTables(): TableReport[] {
  return [...readTable("everyday.txt"), ...readTable("vulnerabilities.txt")];
}

function readTable(file: string): TableReport[] {
  const text = readFileSync(join(import.meta.dirname, "../fixtures/security-reports", file), "utf8");
  const reports: TableReport[] = [];
  let kind: ReportKind = "everyday";
  for (const line of text.trimEnd().split("\n")) {
    const named = reportKinds.find((each) => line === `# ${each}`);
    const current = reports.at(-1);
    if (named !== undefined) kind = named;
    else if (line.startsWith("## ")) {
      const half = reports.length % 2 === 0 ? "tuned" : "kept-back";
      reports.push({ kind, half, title: line.slice(3), body: "", labels: [] });
    } else if (current?.body === "" && line.startsWith("labels: "))
      current.labels = line.slice(8).split(", ");
    else if (current !== undefined) current.body += `${line}\n`;
  }
  return reports;
}
