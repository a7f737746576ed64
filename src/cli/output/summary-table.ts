import { issueKey, plainText } from "../../github/index.ts";
import type { BatchSummary, Eligibility, IssueSummary } from "../../triage/index.ts";

type EligibleReason = Extract<Eligibility, { type: "eligible" }>["reason"];

const HEADER = ["issue", "status", "outcome", "why", "Coder workspace"] as const;

/** What people read at the end of a batch, in columns no wider than the terminal. */
export function summaryTable(summary: BatchSummary, columns: number): string {
  const table = inColumns([HEADER, ...summary.issues.map(rowOf)], columns);
  const { applied, skipped, locked, requeued, failed } = summary.totals;
  const totals = `${applied} applied, ${skipped} skipped, ${locked} locked, ${requeued} requeued, ${failed} failed`;
  const stranded = summary.stranded.map(
    ({ name, error }) => `STRANDED: the Coder workspace ${name}: ${plainText(error.message)} ${error.remedy}`,
  );
  return ["", ...table, "", totals, ...stranded].join("\n");
}

/** Of a dry run: in the summary every issue is skipped, but people ask which would not be. */
export function dryRunTable({ issues }: BatchSummary, columns: number): string {
  const rows = issues.map((issue) => [issueKey(issue), isChosen(issue) ? "yes" : "no", issue.reason]);
  const chosen = issues.filter(isChosen).length;
  return [
    "",
    ...inColumns([["issue", "triaged", "why"], ...rows], columns),
    "",
    `${chosen} would be triaged, ${issues.length - chosen} not; nothing was written`,
  ].join("\n");
}

const CHOSEN = {
  "needs-triage": true,
  "needs-info-with-new-activity": true,
} satisfies Record<EligibleReason, true>;

function isChosen({ reason }: IssueSummary): boolean {
  return Object.hasOwn(CHOSEN, reason);
}

function inColumns(rows: readonly (readonly string[])[], columns: number): string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? "").length)),
  );
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd()
      .slice(0, columns),
  );
}

function rowOf(issue: IssueSummary): string[] {
  const workspace =
    issue.workspace === null
      ? "-"
      : `${issue.workspace.name} ${issue.workspace.destroyed ? "destroyed" : "NOT destroyed"}`;
  const why = [issue.reason, ...issue.policy].join(", ");
  return [issueKey(issue), issue.status, issue.outcome ?? "-", why, workspace];
}
