import { issueKey, plainText } from "../../github/index.ts";
import type { BatchSummary, IssueSummary } from "../../triage/index.ts";

const HEADER = ["issue", "status", "outcome", "why", "Coder workspace"] as const;

/** What people read at the end of a batch, in columns no wider than the terminal. */
export function summaryTable(summary: BatchSummary, columns: number): string {
  const rows = [HEADER as readonly string[], ...summary.issues.map(rowOf)];
  const widths = HEADER.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? "").length)));
  const table = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd()
      .slice(0, columns),
  );
  const { applied, skipped, locked, requeued, failed } = summary.totals;
  const totals = `${applied} applied, ${skipped} skipped, ${locked} locked, ${requeued} requeued, ${failed} failed`;
  const stranded = summary.stranded.map(
    ({ name, error }) => `STRANDED: the Coder workspace ${name}: ${plainText(error.message)} ${error.remedy}`,
  );
  return ["", ...table, "", totals, ...stranded].join("\n");
}

function rowOf(issue: IssueSummary): string[] {
  const workspace =
    issue.workspace === null
      ? "-"
      : `${issue.workspace.name} ${issue.workspace.destroyed ? "destroyed" : "NOT destroyed"}`;
  const why = [issue.reason, ...issue.policy].join(", ");
  return [issueKey(issue), issue.status, issue.outcome ?? "-", why, workspace];
}
