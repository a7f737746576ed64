import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";

export const reportKinds = ["explicit", "proof", "plain", "language", "private", "form"] as const;
export type ReportKind = (typeof reportKinds)[number] | "everyday";

/**
 * One report of the tables in test/fixtures/security-reports. `half`: the rule was tuned on some halves, and is measured on the
 * others. The second look was written later, by another author in other styles, before that author had read the rule.
 */
export interface TableReport {
  kind: ReportKind;
  half: "tuned" | "kept-back" | "second-look" | "third-look" | "fourth-look-tuned" | "fourth-look";
  title: string;
  body: string;
  labels: string[];
}

/** Reads all tables. `# kind` begins a kind, `## title` a report, `labels:` its labels; the rest is the report's body. */
export function readSecurityTables(): TableReport[] {
  return [
    ...readTable("everyday.txt", byTurns),
    ...readTable("vulnerabilities.txt", byTurns),
    ...readTable("second-look-everyday.txt", () => "second-look"),
    ...readTable("second-look-vulnerabilities.txt", () => "second-look"),
    ...readTable("third-look-everyday.txt", () => "third-look"),
    ...readTable("third-look-vulnerabilities.txt", () => "third-look"),
    ...readTable("fourth-look-everyday.txt", fourthLookHalf),
    ...readTable("fourth-look-vulnerabilities.txt", fourthLookHalf),
  ];
}

type HalfOf = (title: string, index: number) => TableReport["half"];

const byTurns: HalfOf = (_, index) => (index % 2 === 0 ? "tuned" : "kept-back");

/** Chooses by hash, so that adjacent reports on one subject are in both halves. */
const fourthLookHalf: HalfOf = (title) =>
  (createHash("sha256").update(title).digest()[0] ?? 0) % 2 === 0 ? "fourth-look-tuned" : "fourth-look";

function readTable(file: string, halfOf: HalfOf): TableReport[] {
  const text = readFileSync(join(import.meta.dirname, "../fixtures/security-reports", file), "utf8");
  const reports: TableReport[] = [];
  let kind: ReportKind = "everyday";
  for (const line of text.trimEnd().split("\n")) {
    const named = reportKinds.find((each) => line === `# ${each}`);
    const current = reports.at(-1);
    if (named !== undefined) kind = named;
    else if (line.startsWith("## ")) {
      const title = line.slice(3);
      reports.push({ kind, half: halfOf(title, reports.length), title, body: "", labels: [] });
    } else if (current?.body === "" && line.startsWith("labels: "))
      current.labels = line.slice(8).split(", ");
    else if (current !== undefined) current.body += `${line}\n`;
  }
  return reports;
}
