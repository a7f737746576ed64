import type { Issue, IssueComment, Person, TriageNotes } from "../../github/index.ts";
import { isBodyEdited } from "../publication/index.ts";

/** Whose words count as new activity. */
export type Activity = "reporter" | "anyone";

export interface ActivityFacts {
  issue: Issue;
  comments: readonly IssueComment[];
  viewerId: number;
}

/**
 * T2: a new comment, an edited one or an edited issue body, later than the notes' own comment. People are told apart
 * by numeric id; bots and our own accounts never count, whatever they say (S14), and a quoted marker changes nothing (S5).
 */
export function hasActivitySince(notes: TriageNotes, facts: ActivityFacts, activity: Activity): boolean {
  const { issue, comments } = facts;
  const own = new Set([facts.viewerId, notes.comment.author?.id]);
  const counts = (author: Person | null): boolean => {
    if (author === null) return activity === "anyone";
    if (author.isBot || own.has(author.id)) return false;
    return activity === "anyone" || author.id === issue.author?.id;
  };
  if (counts(issue.author) && isBodyEdited(issue, notes)) return true;
  return comments.some((comment) => counts(comment.author) && isLater(comment, notes.comment));
}

/**
 * GitHub's times have whole seconds. Within one second the id tells which comment came first; an edit in that second
 * counts, because one run too many costs less than a lost answer.
 */
function isLater(comment: IssueComment, reference: IssueComment): boolean {
  const [createdMs, updatedMs, referenceMs] = [comment.createdAt, comment.updatedAt, reference.createdAt].map(
    (time) => Date.parse(time),
  ) as [number, number, number];
  if (createdMs > referenceMs || (createdMs === referenceMs && comment.id > reference.id)) return true;
  return updatedMs > createdMs && updatedMs >= referenceMs;
}
