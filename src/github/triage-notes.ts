import {
  type MarkerOutcome,
  type ParsedMarker,
  parseMarker,
  SWEPT,
  verifyMarker,
  isIntact,
} from "./markers.ts";
import { type IssueComment, type IssueRef, type Person } from "./port.ts";

/** The authors whose markers count (S4). */
export interface MarkerTrust {
  /** Our own numeric user id. */
  viewerId: number;
  /** Further authors: numeric ids, or logins (a login can be renamed and taken over; an id cannot). */
  trustedAuthors: readonly (number | string)[];
  /** The secrets that verify signatures, the newest first. When empty, only the author decides. */
  keys: readonly string[];
}

export interface TriageNotes {
  comment: IssueComment;
  marker: ParsedMarker & { outcome: MarkerOutcome };
}

/** Our comment with the verdict of a sweep. */
export interface SweepNotes {
  comment: IssueComment;
  marker: ParsedMarker & { outcome: typeof SWEPT };
}

export type MarkerRejection =
  | "author-not-trusted"
  | "other-issue"
  | "unsigned"
  | "forged"
  /**
   * The comment was edited after it was published: neither its signature nor, without one, its check sum matches its current text.
   */
  | "edited"
  /** The comment repeats the signed text of earlier notes. */
  | "replayed";

export interface RejectedMarker {
  commentId: number;
  author: Person | null;
  reason: MarkerRejection;
}

export interface FoundNotes<Notes> {
  /** The newest trusted notes; null when this issue has none. */
  notes: Notes | null;
  /** All trusted notes, the newest last. */
  history: Notes[];
  /**
   * The newest comment of our own account that has the form of triage notes of this issue, but is unsigned or signed with an
   * unknown or retired key, or of a trusted author that was edited. It is not trusted: nothing is repaired, resumed or decided
   * from it. It only shows that we have commented.
   */
  unverified: Notes | null;
  /** Comments that have the form of ours but do not count, for the report. They still count as their author's activity. */
  rejected: RejectedMarker[];
}

export type FoundTriageNotes = FoundNotes<TriageNotes>;

interface NotesFacts {
  comments: readonly IssueComment[];
  ref: IssueRef;
  trust: MarkerTrust;
}

/**
 * Returns the triage notes among an issue's comments. Only the newest trusted marker for this issue decides; a marker that is
 * forged, edited, replayed or from another issue never counts.
 */
export function findTriageNotes(facts: NotesFacts): FoundTriageNotes {
  return findNotes(facts, (notes): notes is TriageNotes => notes.marker.outcome !== SWEPT);
}

/**
 * Returns the comments of sweeps in the same way. They are separate from triage notes: neither function finds the other's comments.
 */
export function findSweepNotes(facts: NotesFacts): FoundNotes<SweepNotes> {
  return findNotes(facts, (notes): notes is SweepNotes => notes.marker.outcome === SWEPT);
}

interface AnyNotes {
  comment: IssueComment;
  marker: ParsedMarker;
}

function findNotes<Notes extends AnyNotes>(
  facts: NotesFacts,
  isOfKind: (notes: AnyNotes) => notes is Notes,
): FoundNotes<Notes> {
  const found: FoundNotes<Notes> = {
    notes: null,
    history: [],
    unverified: null,
    rejected: [],
  };
  for (const comment of facts.comments.toSorted((a, b) => a.id - b.id)) {
    const marker = parseMarker(comment.body);
    if (marker === null) continue;
    const notes: AnyNotes = { comment, marker };
    if (!isOfKind(notes)) continue;
    const reason =
      rejection(comment, marker, facts.ref, facts.trust) ??
      (isReplay(marker, found.history) ? ("replayed" as const) : null);
    if (reason === null) {
      found.notes = notes;
      found.history.push(notes);
      continue;
    }
    const isOurs = comment.author?.id === facts.trust.viewerId;
    if (reason === "edited" || (isOurs && (reason === "unsigned" || reason === "forged")))
      found.unverified = notes;
    found.rejected.push({ commentId: comment.id, author: comment.author, reason });
  }
  return found;
}

/** Returns our newest comment, trusted or not; null: there is none. */
export function newestNotes<Notes extends AnyNotes>({ notes, unverified }: FoundNotes<Notes>): Notes | null {
  if (notes === null || unverified === null) return notes ?? unverified;
  return unverified.comment.id > notes.comment.id ? unverified : notes;
}

/**
 * Returns the authors in `AFK_TRIAGE_TRUSTED_MARKER_AUTHORS`: numeric ids or logins, separated by commas; null when unset or empty.
 */
export function parseTrustedAuthors(text: string | undefined): (number | string)[] | null {
  if (text === undefined || text.trim() === "") return null;
  return (
    text
      .split(",")
      .map((login) => login.trim())
      .filter((login) => login !== "")
      // Anybody may register a login that consists of digits, so a number is read as an id and never as a login.
      .map((login) => (/^\d{1,15}$/.test(login) ? Number(login) : login))
  );
}

function rejection(
  comment: IssueComment,
  marker: ParsedMarker,
  ref: IssueRef,
  trust: MarkerTrust,
): MarkerRejection | null {
  if (!isTrustedAuthor(comment.author, trust)) return "author-not-trusted";
  if (marker.issue !== ref.number) return "other-issue";
  if (trust.keys.length === 0) return isEdited(comment) && !isIntact(marker) ? "edited" : null;
  const verification = verifyMarker(marker, ref.repo, trust.keys);
  if (verification.type === "verified") return null;
  return verification.type === "forged" && isEdited(comment) ? "edited" : verification.type;
}

function isEdited({ createdAt, updatedAt }: IssueComment): boolean {
  return Date.parse(updatedAt) > Date.parse(createdAt);
}

/**
 * Returns whether a marker repeats the signature of earlier notes. No two genuine notes share a signature: each names its own run,
 * and a run writes to an issue once.
 */
function isReplay({ signature }: ParsedMarker, earlier: readonly AnyNotes[]): boolean {
  return signature !== null && earlier.some(({ marker }) => marker.signature === signature);
}

/**
 * Returns whether a person wrote the comment. A comment of the program's own accounts (numeric ids) is a person's if it has no
 * marker, because the program may run under the account of a maintainer, who writes comments, too.
 */
export function isWrittenByPerson(
  { author, body }: IssueComment,
  ownIds: readonly (number | undefined)[],
): boolean {
  if (author === null) return true;
  return !author.isBot && (!ownIds.includes(author.id) || parseMarker(body) === null);
}

/** Returns whether the account is our own or one whose markers count (S4). */
export function isTrustedAuthor(
  author: Person | null,
  trust: Pick<MarkerTrust, "viewerId" | "trustedAuthors">,
): boolean {
  if (author === null) return false;
  if (author.id === trust.viewerId) return true;
  return trust.trustedAuthors.some((trusted) =>
    typeof trusted === "number"
      ? trusted === author.id
      : trusted.toLowerCase() === author.login.toLowerCase(),
  );
}
