import type { RepositoryName } from "../../github/index.ts";
import type { Candidate } from "../../triage/index.ts";
import type { ReproductionOrigin } from "../found/index.ts";
import type { SweepSettings } from "../settings.ts";

/** The way in which a sweep reaches a verdict. `comment` and `close` need no new verdict. */
export type Road = "comment" | "close" | ReproductionOrigin | "triage-agent" | "none";

export interface PlannedIssue {
  repo: RepositoryName;
  number: number;
  title: string;
  /** The reason why the issue is swept. */
  reason: string;
  road: Road;
  /** Issues with a lower rank come first. */
  rank: number;
}

const RANKS: Readonly<Record<Road, number>> = {
  comment: 0,
  close: 1,
  stored: 2,
  issue: 3,
  linked: 4,
  "triage-agent": 5,
  none: 6,
};

/** Returns the road of one issue and its rank in the order. Pure. */
export function planIssue(
  { issue, eligibility }: Candidate,
  origin: ReproductionOrigin | null,
  { asksTriageAgent }: Pick<SweepSettings, "asksTriageAgent">,
): PlannedIssue {
  const road = roadOf(eligibility.reason, origin, asksTriageAgent);
  const { repo, number } = issue.ref;
  return { repo, number, title: issue.title, reason: eligibility.reason, road, rank: RANKS[road] };
}

function roadOf(reason: string, origin: ReproductionOrigin | null, asksTriageAgent: boolean): Road {
  if (reason === "comment-due") return "comment";
  if (reason === "close-due") return "close";
  return origin ?? (asksTriageAgent ? "triage-agent" : "none");
}
