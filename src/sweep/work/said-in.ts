import { type IssueComment, parseMarker } from "../../github/index.ts";
import type { SweptIssue } from "../swept/index.ts";

/**
 * Keeps one of our comments for the next sweep. `key`: what it says. `textHash`: the hash of the issue's own text then; null: not
 * known.
 */
export function saidIn(
  comment: IssueComment,
  key: string,
  textHash: string | null,
): NonNullable<SweptIssue["said"]> {
  const closeAfter = parseMarker(comment.body)?.extra["close-after"] ?? null;
  return {
    key,
    commentId: comment.id,
    url: comment.url,
    at: comment.createdAt,
    closeAfter: closeAfter !== null && Number.isNaN(Date.parse(closeAfter)) ? null : closeAfter,
    textHash,
  };
}
