import { findSweepNotes } from "../../github/index.ts";
import type { AssessedIssue } from "../../triage/index.ts";
import type { SweptIssue } from "../swept/index.ts";
import { keyWithoutDetail } from "../verdict/index.ts";
import { saidIn } from "./said-in.ts";

type Trust = Parameters<typeof findSweepNotes>[0]["trust"];

/**
 * Returns the last comment of a sweep and the state of its close, from the home or from GitHub. GitHub may have a comment that the
 * home does not contain, because the home lost its files or another home wrote the comment. A close that such a comment announced
 * is cancelled permanently, because it is not known whether a person has objected to it in the meantime (W3).
 */
export function recallSaid(
  before: SweptIssue | null,
  { issue, comments }: Pick<AssessedIssue, "issue" | "comments">,
  { trust, nowMs }: { trust: Trust; nowMs: number },
): Pick<SweptIssue, "said" | "close"> {
  const { said = null, close = { type: "open" } } = before ?? {};
  const found = findSweepNotes({ comments, ref: issue.ref, trust });
  // An edited comment counts as well: it is not repeated, and a close that it announces is cancelled.
  const standing = found.unverified === null ? found.history : [...found.history, found.unverified];
  const unknown = standing.filter(({ comment }) => comment.id > (said?.commentId ?? 0));
  const newest = unknown.toSorted((a, b) => a.comment.id - b.comment.id).at(-1);
  if (newest === undefined) return { said, close };
  const isAnnounced = unknown.some(({ marker }) => marker.extra["close-after"] !== undefined);
  const at = new Date(nowMs).toISOString();
  return {
    said: saidIn(newest.comment, keyWithoutDetail(newest.marker.extra["verdict"] ?? ""), null),
    close:
      isAnnounced && close.type === "open" ? { type: "cancelled", why: "announced-elsewhere", at } : close,
  };
}
