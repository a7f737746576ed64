import { type IssueComment, parseMarker } from "../../github/index.ts";
import type { SweptIssue } from "../swept/index.ts";
import { messageKey, type Verdict } from "../verdict/index.ts";

/** Reads what one of our comments says about a verdict, for the next sweep. */
export function saidIn(comment: IssueComment, verdict: Verdict): NonNullable<SweptIssue["said"]> {
  const closeAfter = parseMarker(comment.body)?.extra["close-after"] ?? null;
  return {
    key: messageKey(verdict),
    commentId: comment.id,
    url: comment.url,
    at: comment.createdAt,
    closeAfter: closeAfter !== null && Number.isNaN(Date.parse(closeAfter)) ? null : closeAfter,
  };
}
