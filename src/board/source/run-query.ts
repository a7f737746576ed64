import type { ActivityFilter, RunPageQuery } from "../../store/index.ts";
import type { RunSelection, TotalsSelection } from "../server/index.ts";

const RECENT_MS = 24 * 3_600_000;

const ANY = ["none", "open", "closed", "merged"] as const;
const ENDED = 3;

/** The part of the store's index that contains the runs of a Display Status; `isExact` false: it contains other runs, too. */
interface Place {
  activity: ActivityFilter;
  isExact: boolean;
}

/** Returns the part of the index that contains the runs of this Display Status (O3); null for an unknown status. */
export function placeOfStatus(status: string): Place | null {
  switch (status) {
    case "merged":
      return { activity: { urgency: [1, 2, ENDED], pullRequest: ["merged"] }, isExact: true };
    case "terminated":
      return { activity: { urgency: [ENDED], pullRequest: ["none", "open", "closed"] }, isExact: true };
    case "needs_input":
      return { activity: { urgency: [0], pullRequest: ANY }, isExact: true };
    case "working":
      return { activity: { urgency: [1], pullRequest: ["none", "closed"] }, isExact: true };
    case "idle":
    case "no_signal":
      return { activity: { urgency: [2], pullRequest: ["none", "closed"] }, isExact: false };
    case "ci_failed":
    case "draft":
    case "changes_requested":
    case "mergeable":
    case "approved":
    case "review_pending":
    case "pr_open":
      return { activity: { urgency: [1, 2], pullRequest: ["open"] }, isExact: false };
    default:
      return null;
  }
}

/** Returns the store's query of a selection. */
export function runQuery(
  selection: RunSelection,
  activity: ActivityFilter | null,
  nowMs: number,
): RunPageQuery {
  const { repo, result, isLiveOnly, text, sort, isDescending, limit, after } = selection;
  const filter = { repo, result, isLiveOnly, text, activity, ...span(selection, nowMs) };
  return { filter, sort, isDescending, limit, after };
}

/** Returns the batch and the time span of a selection. */
export function span(
  { batch, isRecentOnly }: TotalsSelection,
  nowMs: number,
): { batch: string | null; endedAfterMs: number | null } {
  return { batch, endedAfterMs: isRecentOnly ? nowMs - RECENT_MS : null };
}
