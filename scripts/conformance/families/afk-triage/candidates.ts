import { type Issue } from "../../../../src/github/index.ts";
import { decideEligibility, defaultLabelNames, selectCandidates } from "../../../../src/triage/index.ts";
import { type CaseReport, compare, compareDocumented, notExpressible } from "../../case-report.ts";
import { issueWith, nowMs, ref, settings } from "./issues.ts";

/** Checks a rule of the cases, which is stated in words and recognised by them. */
export function checkCandidates(rule: string): CaseReport {
  const id = `candidates: ${rule}`;
  switch (rule) {
    case "query needs-triage first, then needs-info unless excluded; state open; limit 500":
      return compareDocumented(id, {
        expected: "at most 500",
        ours: { order: [2, 1], closed: "skipped", needsInfoExcluded: "skipped" },
        seen: orderAndExclusion(),
        reason: "same order and exclusion, but all pages are listed: `--max-issues` bounds a Triage Batch",
      });
    case "dedupe by number, first seen wins":
      return compare(id, [5], dedupe());
    case "author may be null (ghost)":
      return compare(id, ["eligible"], [verdictOf(issueWith({ labels: ["needs-triage"], author: null }))]);
    default:
      return notExpressible(id, "a rule in words that is not known here");
  }
}

function orderAndExclusion(): object {
  const needsInfo = numbered(1, ["needs-info"]);
  const needsTriage = numbered(2, ["needs-triage"]);
  const selected = selectCandidates(
    { needsTriage: [needsTriage], needsInfo: [needsInfo], wontfix: [] },
    defaultLabelNames,
  );
  return {
    order: selected.map((issue) => issue.ref.number),
    closed: verdictOf({ ...needsTriage, state: "closed" }),
    needsInfoExcluded: verdictOf(needsInfo, false),
  };
}

function dedupe(): number[] {
  const both = numbered(5, ["needs-triage", "needs-info"]);
  const lists = { needsTriage: [both], needsInfo: [{ ...both, title: "seen again" }], wontfix: [] };
  const selected = selectCandidates(lists, defaultLabelNames);
  return selected.filter(({ title }) => title === both.title).map((issue) => issue.ref.number);
}

function numbered(number: number, labels: string[]): Issue {
  return issueWith({ ref: { ...ref, number }, labels });
}

function verdictOf(issue: Issue, includeNeedsInfo = true): string {
  const viewerId = 1;
  const facts = { issue, comments: [], labelEvents: [], notes: null, areNotesTrusted: true, viewerId, nowMs };
  return decideEligibility({ ...facts, settings: { ...settings, includeNeedsInfo } }).type;
}
