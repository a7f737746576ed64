import {
  type Issue,
  type IssueComment,
  isWrittenByPerson,
  type Person,
  type TriageNotes,
} from "../../github/index.ts";
import { isBodyEdited, isProposal, type MarkerExtra, type PublicationPlan } from "../publication/index.ts";

/** Whose comments count as new activity. */
export type Activity = "reporter" | "anyone";

export interface ActivityFacts {
  issue: Issue;
  comments: readonly IssueComment[];
  viewerId: number;
}

/** A comment of ours: triage notes, or the comment of a sweep. */
export type OurNotes = Pick<TriageNotes, "comment"> & MarkerExtra;

/**
 * Returns whether what this author writes counts as activity. People are identified by numeric id. Bots and our own account never
 * count (S14).
 */
export function countsAsActivity(
  author: Person | null,
  { issue, viewerId, activity }: { issue: Issue; viewerId: number; activity: Activity },
): boolean {
  if (author === null) return activity === "anyone";
  if (author.isBot || author.id === viewerId) return false;
  return activity === "anyone" || author.id === issue.author?.id;
}

/**
 * Returns the time of the first comment since the notes that counts as this activity, in epoch milliseconds. null: there is none.
 */
export function firstActivityAtMs(
  notes: TriageNotes,
  facts: ActivityFacts,
  activity: Activity,
): number | null {
  const times = facts.comments
    .filter(({ author }) => countsAsActivity(author, { ...facts, activity }))
    .filter((comment) => isLater(comment, notes.comment))
    .map(({ updatedAt }) => Date.parse(updatedAt));
  return times.length === 0 ? null : Math.min(...times);
}

/**
 * Returns whether there is a new comment, an edited comment or an edited issue body that is later than the notes' own comment
 * (T2). The account that wrote the notes does not count, and a quoted marker changes nothing (S5).
 */
export function hasActivitySince(notes: OurNotes, facts: ActivityFacts, activity: Activity): boolean {
  const { issue, comments } = facts;
  const counts = (author: Person | null): boolean =>
    countsAsActivity(author, { ...facts, activity }) &&
    (author === null || author.id !== notes.comment.author?.id);
  if (counts(issue.author) && isBodyEdited(issue, notes)) return true;
  return comments.some((comment) => counts(comment.author) && isLater(comment, notes.comment));
}

/**
 * Returns whether the rest of a publication would close an issue on which people wrote after its comment, because they may have
 * objected. The person whose account the program uses may also have objected. The comment that accepts a proposal is also written
 * after it, so an accepted close is carried out.
 */
export function isCloseAnswered(
  { steps }: Pick<PublicationPlan, "steps">,
  notes: OurNotes,
  facts: ActivityFacts,
): boolean {
  if (!steps.some(({ type }) => type === "close") || isProposal(notes)) return false;
  const ownIds = [facts.viewerId, notes.comment.author?.id];
  const isAnswer = (comment: IssueComment): boolean =>
    isWrittenByPerson(comment, ownIds) && isLater(comment, notes.comment);
  return facts.comments.some(isAnswer) || hasActivitySince(notes, facts, "anyone");
}

/**
 * Returns whether the comment is later than the reference. GitHub's times are in whole seconds. Within one second the id decides
 * which comment came first. An edit in that second counts as later, because one unnecessary run costs less than a lost answer.
 */
function isLater(comment: IssueComment, reference: IssueComment): boolean {
  const [createdMs, updatedMs, referenceMs] = [comment.createdAt, comment.updatedAt, reference.createdAt].map(
    (time) => Date.parse(time),
  ) as [number, number, number];
  if (createdMs > referenceMs || (createdMs === referenceMs && comment.id > reference.id)) return true;
  return updatedMs > createdMs && updatedMs >= referenceMs;
}
