import { issueKey, plainText } from "../../github/index.ts";
import { flowItems, hangingLines, layTable } from "../../layout/index.ts";
import type { BatchSummary, Eligibility, IssueSummary } from "../../triage/index.ts";
import type { Tone } from "./paint.ts";
import type { Output } from "./streams.ts";

type ChosenReason = Exclude<Eligibility, { type: "skipped" }>["reason"];
type View = Pick<Output, "answerColumns" | "paint">;

/**
 * The width of the narrowest table, in columns. Below it an issue takes two or more lines, because a table would break every word.
 */
const TABLE_COLUMNS = 100;
const HEADER = ["issue", "status", "outcome", "why", "Coder workspace"] as const;
const TONES: Record<IssueSummary["status"], Tone> = {
  applied: "good",
  skipped: "quiet",
  locked: "attention",
  requeued: "attention",
  failed: "bad",
};

/** Returns the table for people at the end of a batch, as wide as the terminal. */
export function summaryTable(summary: BatchSummary, { answerColumns, paint }: View): string[] {
  const rows = summary.issues.map((issue) => rowOf(issue, (text) => paint(TONES[issue.status], text)));
  const { applied, skipped, locked, requeued, failed } = summary.totals;
  const totals = `${applied} applied, ${skipped} skipped, ${locked} locked, ${requeued} requeued, ${failed} failed`;
  const stranded = summary.stranded.flatMap(({ name, error }) =>
    hangingLines(
      paint("bad", "STRANDED: "),
      `the Coder workspace ${name}: ${plainText(error.message)} ${error.remedy}`,
      answerColumns,
    ),
  );
  const kept = summary.kept.flatMap((each) =>
    hangingLines(
      paint("attention", "KEPT: "),
      `the Coder workspace ${each.name} of ${issueKey(each)} for inspection, until ${each.until}`,
      answerColumns,
    ),
  );
  const table =
    answerColumns < TABLE_COLUMNS
      ? rows.flatMap((row) => narrowLines(row, answerColumns))
      : layTable([HEADER, ...rows], { columns: answerColumns, flexible: [3, 4] });
  return [...(rows.length === 0 ? [] : ["", ...table]), "", totals, ...kept, ...stranded];
}

function narrowLines([issue, status, outcome, why, workspace]: readonly string[], columns: number): string[] {
  const details = [why ?? "", ...(workspace === "-" ? [] : [workspace ?? ""])];
  return [
    `${issue}  ${status}${outcome === "-" ? "" : ` → ${outcome}`}`,
    ...flowItems(details, columns - 4).map((line) => `    ${line}`),
  ];
}

/** Returns the table of a dry run. Its summary skips every issue, but the table shows which issues would be triaged. */
export function dryRunTable({ issues }: BatchSummary, { answerColumns, paint }: View): string[] {
  const rows = issues.map((issue) => {
    const [tone, word] = isChosen(issue) ? (["good", "yes"] as const) : (["quiet", "no"] as const);
    return [issueKey(issue), paint(tone, word), issue.reason];
  });
  const chosen = issues.filter(isChosen).length;
  const table = layTable([["issue", "triaged", "why"], ...rows], { columns: answerColumns, flexible: [2] });
  return [
    "",
    ...(issues.length === 0 ? [] : [...table, ""]),
    `${chosen} would be triaged, ${issues.length - chosen} not; nothing was written`,
  ];
}

/**
 * The reasons that the batch counts as eligible. They include `repair`, because an interrupted publication would be finished, too.
 */
const CHOSEN = {
  "needs-triage": true,
  "needs-info-with-new-activity": true,
  repair: true,
  "without-verdict": true,
  "recheck-due": true,
  "comment-due": true,
  "close-due": true,
} satisfies Record<ChosenReason, true>;

/** Returns whether a dry run shows the issue as one that would be triaged. */
export function isChosen({ reason }: IssueSummary): boolean {
  return Object.hasOwn(CHOSEN, reason);
}

function rowOf(issue: IssueSummary, painted: (text: string) => string): string[] {
  const workspace = issue.workspace === null ? "-" : `${issue.workspace.name} ${endOf(issue.workspace)}`;
  const why = [issue.reason, ...issue.policy].join(", ");
  return [issueKey(issue), painted(issue.status), issue.outcome ?? "-", why, workspace];
}

function endOf({ destroyed, keptUntil }: NonNullable<IssueSummary["workspace"]>): string {
  if (keptUntil !== null) return `kept until ${keptUntil}`;
  return destroyed ? "destroyed" : "NOT destroyed";
}
