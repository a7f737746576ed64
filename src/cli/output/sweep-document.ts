import type { BatchSummary, IssueSummary } from "../../triage/index.ts";
import {
  announcedClose,
  type PlannedIssue,
  type SweepEstimate,
  type SweptIssue,
  type Verdict,
  type VerdictType,
} from "../../sweep/index.ts";

/** The plan and the results of one part of a sweep, `afk-triage/sweep@1`. */
export interface SweepDocument extends Omit<BatchSummary, "schema" | "issues"> {
  schema: "afk-triage/sweep@1";
  plan: SweepEstimate & { issues: number };
  planned: readonly PlannedIssue[];
  /** The number of issues of these repositories by verdict, including those of earlier parts. */
  verdicts: Partial<Record<VerdictType, number>>;
  issues: readonly SweptLine[];
}

export interface SweptLine extends Pick<
  IssueSummary,
  "repo" | "number" | "status" | "reason" | "evidence" | "usage" | "timings" | "commentUrl" | "error"
> {
  /** null if it has none. */
  verdict: Verdict | null;
  origin: SweptIssue["origin"] | null;
  /** The time after which a sweep closes it; null: no close is announced, or the announcement is no longer valid. */
  closeAfter: string | null;
}

/** Returns the document of a sweep. Pure. */
export function sweepDocument(facts: {
  summary: BatchSummary;
  planned: readonly PlannedIssue[];
  plan: SweepEstimate;
  swept: readonly SweptIssue[];
}): SweepDocument {
  const { summary, planned, plan, swept } = facts;
  const { schema: _, issues, ...rest } = summary;
  const known = new Map(swept.map((one) => [`${one.repo}#${one.number}`, one]));
  const verdicts: SweepDocument["verdicts"] = {};
  for (const { verdict } of swept) verdicts[verdict.type] = (verdicts[verdict.type] ?? 0) + 1;
  return {
    schema: "afk-triage/sweep@1",
    ...rest,
    plan,
    planned,
    verdicts,
    issues: issues.map((issue) => lineOf(issue, known.get(`${issue.repo}#${issue.number}`) ?? null)),
  };
}

function lineOf(issue: IssueSummary, swept: SweptIssue | null): SweptLine {
  const { repo, number, status, reason, evidence, usage, timings, commentUrl, error } = issue;
  return {
    repo,
    number,
    status,
    reason,
    verdict: swept?.verdict ?? null,
    origin: swept?.origin ?? null,
    closeAfter: swept === null ? null : announcedClose(swept),
    evidence,
    commentUrl,
    usage,
    timings,
    error,
  };
}
