import { countOf } from "agent-tty/kit";
import { gradeLine } from "../../evidence/index.ts";
import { issueKey, shownText } from "../../github/index.ts";
import { layTable } from "../../layout/index.ts";
import type { Road, Verdict } from "../../sweep/index.ts";
import type { Output } from "./streams.ts";
import type { SweepDocument, SweptLine } from "./sweep-document.ts";

type View = Pick<Output, "answerColumns">;

/** Returns the lines for people: one per issue that was examined, then the verdicts so far. */
export function sweepTable(
  { issues, verdicts, plan, planned }: SweepDocument,
  { answerColumns }: View,
): string[] {
  const looked = issues.filter(({ status, reason }) => status !== "skipped" || reason.includes("budget"));
  const examined = looked.filter(({ status }) => status !== "skipped" && status !== "locked");
  const rows = looked.map((one) => [
    issueKey(one),
    one.verdict === null ? "-" : sayVerdict(one.verdict),
    one.status,
    one.error === null ? whyOf(one) : shownText(`${one.error.code}: ${one.error.message}`),
  ]);
  const table = layTable([["issue", "verdict", "status", "why"], ...rows], {
    columns: answerColumns,
    flexible: [1, 3],
  });
  const counts = Object.entries(verdicts).map(([type, count]) => `${count} ${type}`);
  return [
    "",
    ...(looked.length === 0 ? [] : [...table, ""]),
    `${examined.length} of ${plan.issues} chosen issues examined (${issues.length} looked at)`,
    ...notChosen(issues, planned),
    `verdicts so far: ${counts.length === 0 ? "none" : counts.join(", ")}`,
  ];
}

/** Returns the plan for people: which issues, why, and the largest possible cost. */
export function sweepPlanTable({ planned, plan, issues }: SweepDocument, { answerColumns }: View): string[] {
  const rows = planned.map((one) => [issueKey(one), one.reason, one.road, shownText(one.title)]);
  const table = layTable([["issue", "why", "by", "title"], ...rows], {
    columns: answerColumns,
    flexible: [3],
  });
  const roads = Object.entries(plan.byRoad).map(([road, count]) => `${count} ${ROADS[road as Road]}`);
  const dollars =
    plan.usd === null ? "no budget limits their cost (--run-budget-usd)" : `at most $${plan.usd.toFixed(2)}`;
  return [
    "",
    ...(planned.length === 0 ? [] : [...table, ""]),
    `${planned.length} of ${issues.length} issues would be examined${roads.length === 0 ? "" : `: ${roads.join(", ")}`}`,
    `${countOf(plan.coderWorkspaces, "Coder workspace")}, ${countOf(plan.triageAgents, "Triage Agent")}, ${dollars}; nothing was written`,
    ...notChosen(issues, planned),
  ];
}

/** Returns a line with the reasons why the other issues were not chosen, each with its number of issues. */
function notChosen(issues: readonly SweptLine[], planned: SweepDocument["planned"]): string[] {
  const chosen = new Set(planned.map(issueKey));
  const counts = new Map<string, number>();
  for (const issue of issues)
    if (issue.status === "skipped" && !chosen.has(issueKey(issue)))
      counts.set(issue.reason, (counts.get(issue.reason) ?? 0) + 1);
  const reasons = [...counts].map(([reason, count]) => `${count} ${reason}`);
  return reasons.length === 0 ? [] : [`not chosen: ${reasons.join(", ")}`];
}

const ROADS: Readonly<Record<Road, string>> = {
  comment: "whose comment is due",
  close: "whose close is due",
  stored: "with a stored reproduction",
  issue: "with a reproduction found in the issue",
  linked: "with a reproduction that the issue links to",
  "triage-agent": "with a Triage Agent",
  none: "without a reproduction",
};

/**
 * The reasons for choosing an issue that are no longer true once it has its verdict. Any other reason of an applied issue describes
 * its result.
 */
const OUTDATED = new Set(["without-verdict", "recheck-due"]);

function whyOf({ status, reason, evidence }: SweptLine): string {
  if (status !== "applied" || !OUTDATED.has(reason)) return reason;
  return evidence === null ? "-" : gradeLine(evidence);
}

function sayVerdict(verdict: Verdict): string {
  switch (verdict.type) {
    case "fixed":
      return sayFixed(verdict);
    case "still-broken":
      return verdict.since === null ? verdict.type : `still-broken since ${verdict.since.slice(0, 12)}`;
    case "duplicate":
      return `duplicate of #${verdict.of}`;
    case "not-reproduced":
    case "needs-reproduction":
    case "not-a-bug":
    case "withheld":
      return verdict.type;
  }
}

function sayFixed({ release, isExact }: Extract<Verdict, { type: "fixed" }>): string {
  if (isExact) return `fixed in ${release ?? "a commit that is not released"}`;
  return release === null ? "fixed, in which release is not known" : `fixed in ${release} or earlier`;
}
