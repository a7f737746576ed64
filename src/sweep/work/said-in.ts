import { type IssueComment, parseMarker } from "../../github/index.ts";
import type { SweptIssue } from "../swept/index.ts";

/**
 * Returns one of our comments as the next sweep needs it. `key`: the key of its content. `textHash`: the hash of the issue's own
 * text at that time; null: not known. A close that the comment announces is due `graceMs` (milliseconds) after GitHub's time of the
 * comment at the earliest, because the announced day comes from the clock of the machine that wrote it.
 */
export function saidIn(
  comment: IssueComment,
  key: string,
  textHash: string | null,
  graceMs = 0,
): NonNullable<SweptIssue["said"]> {
  const announcedMs = Date.parse(parseMarker(comment.body)?.extra["close-after"] ?? "");
  const earliestMs = Date.parse(comment.createdAt) + graceMs;
  return {
    key,
    commentId: comment.id,
    url: comment.url,
    at: comment.createdAt,
    closeAfter: Number.isNaN(announcedMs) ? null : new Date(Math.max(announcedMs, earliestMs)).toISOString(),
    textHash,
  };
}
