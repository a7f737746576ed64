import { findSweepNotes } from "../../github/index.ts";
import type { AssessedIssue } from "../../triage/index.ts";
import type { SweptIssue } from "../swept/index.ts";
import { keyWithoutDetail } from "../verdict/index.ts";
import { saidIn } from "./said-in.ts";

type Trust = Parameters<typeof findSweepNotes>[0]["trust"];

/**
 * The last comment of a sweep and the state of its close: as the home knows them, or from GitHub where a comment stands that the
 * home does not know, because it lost its files or another home wrote it. A close that such a comment announced is cancelled for
 * good: whether anybody has objected to it meanwhile cannot be told any more (W3).
 */
export function recallSaid(
  before: SweptIssue | null,
  { issue, comments }: Pick<AssessedIssue, "issue" | "comments">,
  { trust, nowMs }: { trust: Trust; nowMs: number },
): Pick<SweptIssue, "said" | "close"> {
  const { said = null, close = { type: "open" } } = before ?? {};
  const found = findSweepNotes({ comments, ref: issue.ref, trust });
  // An edited comment stands, too: it is not repeated, and a close that it announces is cancelled.
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
