import { type Issue, type IssueComment, isWrittenByPerson, type Reaction } from "../../github/index.ts";
import { type SweptIssue, textHash } from "../swept/index.ts";

export interface ObjectionFacts {
  issue: Issue;
  comments: readonly IssueComment[];
  /** null: our comment has been removed. */
  reactions: readonly Reaction[] | null;
  /** Our own numeric user id. */
  viewerId: number;
}

/**
 * Returns why a proposed close is cancelled (W3): since our comment, a person replied or reacted, edited or reopened the issue, or
 * edited, hid or removed the comment. Bots do not count. The program itself never reacts and never edits a comment, so what its
 * account does in that way is a person's act. null: no person objected. Pure.
 */
export function findObjection(
  said: NonNullable<SweptIssue["said"]>,
  { issue, comments, reactions, viewerId }: ObjectionFacts,
): string | null {
  const saidMs = Date.parse(said.at);
  if (issue.stateReason === "reopened") return "reopened";
  if (said.textHash !== null && said.textHash !== textHash(issue)) return "edit";
  const ours = comments.find(({ id }) => id === said.commentId);
  if (reactions === null || ours === undefined) return "comment-removed";
  if (ours.isMinimised === true) return "comment-hidden";
  if (Date.parse(ours.updatedAt) > saidMs) return "comment-edited";
  const isReply = (comment: IssueComment): boolean =>
    isWrittenByPerson(comment, [viewerId]) &&
    (comment.id > said.commentId || Date.parse(comment.updatedAt) > saidMs);
  if (comments.some(isReply)) return "reply";
  const isObjection = ({ author, createdAt }: Reaction): boolean =>
    author?.isBot !== true && Date.parse(createdAt) >= saidMs;
  return reactions.some(isObjection) ? "reaction" : null;
}
