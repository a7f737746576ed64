import type { Issue } from "../../github/index.ts";
import type { Eligibility } from "../../triage/index.ts";
import type { SweepSettings } from "../settings.ts";
import type { SweptIssue } from "../swept/index.ts";

export interface DueFacts {
  issue: Issue;
  swept: SweptIssue | null;
  /** The issue's current snapshot hash. */
  seen: string;
  /** The newest comment of a sweep; null: there is none. */
  told: ToldVerdict | null;
  nowMs: number;
}

/** A comment of a sweep, by what its marker says. */
export interface ToldVerdict {
  commentId: number;
  verdict: string | null;
  /** The snapshot hash that it was written on, shortened. */
  seen: string | null;
}

/** Returns the next action of a sweep on an issue. Objections to a close are searched for only when the close is due. Pure. */
export function decideDue(
  { issue, swept, seen, told, nowMs }: DueFacts,
  settings: Pick<SweepSettings, "closes" | "recheckMs">,
): Eligibility {
  if (issue.isPullRequest) return { type: "skipped", reason: "pull-request" };
  if (issue.state === "closed") return { type: "skipped", reason: "closed" };
  if (issue.locked) return { type: "skipped", reason: "issue-locked" };
  const isTold = told?.seen === shortHash(seen) && told.commentId > (swept?.said?.commentId ?? 0);
  // If `isTold`, a sweep with another home has published the verdict.
  if (swept?.seen !== seen) return isTold ? SWEPT_ALREADY : { type: "eligible", reason: "without-verdict" };
  // An earlier comment on the same snapshot may have another verdict, because our own comments do not change the snapshot.
  const isWritten = isTold && told.verdict === swept.verdict.type;
  if (swept.comment.type === "due" && !isWritten) return { type: "eligible", reason: "comment-due" };
  if (settings.closes && isCloseDue(swept, nowMs)) return { type: "eligible", reason: "close-due" };
  const isRechecked = swept.verdict.type === "still-broken";
  if (isRechecked && nowMs >= Date.parse(swept.at) + settings.recheckMs)
    return { type: "eligible", reason: "recheck-due" };
  return SWEPT_ALREADY;
}

const SWEPT_ALREADY = { type: "skipped", reason: "already-swept" } as const;

/**
 * Returns whether a close is due (W3): only for a verdict with fail-before and pass-after, and only if the grace period of the
 * comment that announced the close is over.
 */
export function isCloseDue(swept: SweptIssue, nowMs: number): boolean {
  const closeAfter = announcedClose(swept);
  return closeAfter !== null && nowMs >= Date.parse(closeAfter);
}

/**
 * Returns the time after which the issue is closed, ISO 8601; null: no close is announced, or the announcement is no longer valid.
 */
export function announcedClose({ verdict, said, close, isOpen }: SweptIssue): string | null {
  const isAnnounced = verdict.type === "fixed" && said?.key.startsWith("fixed:") === true;
  return isAnnounced && close.type === "open" && isOpen ? said.closeAfter : null;
}

/** Returns a hash in the shortened form that a marker uses. */
export function shortHash(seen: string): string {
  return seen.slice(0, 16);
}
