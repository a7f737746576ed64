import type { IssueComment, Issue, Reaction } from "../../github/index.ts";
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
 * Returns why a proposed close is cancelled (W3): since our comment, a person replied or reacted, edited or reopened the issue,
 * or removed the comment. Bots do not count. null: nobody objected. Pure.
 */
export function findObjection(
  said: NonNullable<SweptIssue["said"]>,
  { issue, comments, reactions, viewerId }: ObjectionFacts,
): string | null {
  const isPerson = (author: IssueComment["author"]): boolean =>
    author === null || (!author.isBot && author.id !== viewerId);
  const saidMs = Date.parse(said.at);
  if (issue.stateReason === "reopened") return "reopened";
  if (said.textHash !== null && said.textHash !== textHash(issue)) return "edit";
  if (reactions === null || !comments.some(({ id }) => id === said.commentId)) return "comment-removed";
  const isReply = ({ id, author, updatedAt }: IssueComment): boolean =>
    isPerson(author) && (id > said.commentId || Date.parse(updatedAt) > saidMs);
  if (comments.some(isReply)) return "reply";
  if (reactions.some(({ author, createdAt }) => isPerson(author) && Date.parse(createdAt) >= saidMs))
    return "reaction";
  return null;
}
