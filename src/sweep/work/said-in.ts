import { type Issue, type IssueComment, parseMarker } from "../../github/index.ts";
import { type SweptIssue, textHash } from "../swept/index.ts";
import { messageKey, type Verdict } from "../verdict/index.ts";

/** Reads what one of our comments says about a verdict on an issue, for the next sweep. */
export function saidIn(
  comment: IssueComment,
  verdict: Verdict,
  issue: Pick<Issue, "title" | "body">,
): NonNullable<SweptIssue["said"]> {
  const closeAfter = parseMarker(comment.body)?.extra["close-after"] ?? null;
  return {
    key: messageKey(verdict),
    commentId: comment.id,
    url: comment.url,
    at: comment.createdAt,
    closeAfter: closeAfter !== null && Number.isNaN(Date.parse(closeAfter)) ? null : closeAfter,
    textHash: textHash(issue),
  };
}
