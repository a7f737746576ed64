import { type MarkerOutcome, type ParsedMarker, parseMarker, SWEPT, verifyMarker } from "./markers.ts";
import { type IssueComment, type IssueRef, type Person } from "./port.ts";

/** The authors whose markers count (S4). */
export interface MarkerTrust {
  /** Our own numeric user id. */
  viewerId: number;
  /** Further authors: numeric ids, or logins (a login can be renamed and taken over; an id cannot). */
  trustedAuthors: readonly (number | string)[];
  /** Secrets that verify; the newest first. When empty, the author alone decides. */
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
  /** The comment was edited after it was published, and its signature does not cover what it says now. */
  | "edited"
  /** The signed words of earlier notes, posted once more. */
  | "replayed";

export interface RejectedMarker {
  commentId: number;
  author: Person | null;
  reason: MarkerRejection;
}

export interface FoundNotes<Notes> {
  /** The newest trusted ones; null when this issue has none. */
  notes: Notes | null;
  /** All trusted ones, the newest last. */
  history: Notes[];
  /** Trusted ones that somebody edited, where no key can tell what was changed: they count, and are reported. */
  editedUnsigned: Notes[];
  /**
   * The newest comment of our own account that is shaped like triage notes of this issue, but unsigned or signed with a key that is
   * not known (any more). It is not trusted: nothing is repaired, resumed or decided from it. It only says that we have commented.
   */
  unverified: Notes | null;
  /** Comments shaped like ours that do not count, for the report. They stay their author's activity. */
  rejected: RejectedMarker[];
}

export type FoundTriageNotes = FoundNotes<TriageNotes>;

interface NotesFacts {
  comments: readonly IssueComment[];
  ref: IssueRef;
  trust: MarkerTrust;
}

/** Only the newest trusted marker of this very issue decides; a forged, edited, replayed or cross-issue one never counts. */
export function findTriageNotes(facts: NotesFacts): FoundTriageNotes {
  return findNotes(facts, (notes): notes is TriageNotes => notes.marker.outcome !== SWEPT);
}

/** The same for the comments of sweeps, which are separate from triage notes: neither finds the other. */
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
    editedUnsigned: [],
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
      if (facts.trust.keys.length === 0 && isEdited(comment)) found.editedUnsigned.push(notes);
      continue;
    }
    const isOurs = comment.author?.id === facts.trust.viewerId;
    if (isOurs && (reason === "unsigned" || reason === "forged")) found.unverified = notes;
    found.rejected.push({ commentId: comment.id, author: comment.author, reason });
  }
  return found;
}

/** `AFK_TRIAGE_TRUSTED_MARKER_AUTHORS`: numeric ids or logins, separated by commas; null when unset or blank. */
export function parseTrustedAuthors(text: string | undefined): (number | string)[] | null {
  if (text === undefined || text.trim() === "") return null;
  return (
    text
      .split(",")
      .map((login) => login.trim())
      .filter((login) => login !== "")
      // Anybody may take a login of digits: such a word is read as an id and never as a login.
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
  if (trust.keys.length === 0) return null;
  const verification = verifyMarker(marker, ref.repo, trust.keys);
  if (verification.type === "verified") return null;
  return verification.type === "forged" && isEdited(comment) ? "edited" : verification.type;
}

function isEdited({ createdAt, updatedAt }: IssueComment): boolean {
  return Date.parse(updatedAt) > Date.parse(createdAt);
}

/** No two notes share a signature: each names its own run, and a run writes to an issue once. */
function isReplay({ signature }: ParsedMarker, earlier: readonly AnyNotes[]): boolean {
  return signature !== null && earlier.some(({ marker }) => marker.signature === signature);
}

/** S4: whether the account is our own or one whose markers count. */
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
