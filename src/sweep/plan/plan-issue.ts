import type { RepositoryName } from "../../github/index.ts";
import type { Candidate } from "../../triage/index.ts";
import type { ReproductionOrigin } from "../found/index.ts";
import type { SweepSettings } from "../settings.ts";

/** How a sweep gets to a verdict. `comment` and `close` need no new one. */
export type Road = "comment" | "close" | ReproductionOrigin | "triage-agent" | "none";

export interface PlannedIssue {
  repo: RepositoryName;
  number: number;
  title: string;
  /** Why it is looked at. */
  reason: string;
  road: Road;
  /** The lower, the earlier. */
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

/** Pure. What becomes of one issue, and how early. */
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
