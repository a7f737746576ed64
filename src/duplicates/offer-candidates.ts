import type { IssueIndex, SimilarIssue } from "./issue-index.ts";
import type { IssueText } from "./issue-terms.ts";
import { type Fingerprints, fingerprintsOf, spelledWords } from "./text/index.ts";

/** An earlier issue that may report the same, with the text that both share. All text in it is untrusted. */
export interface DuplicateCandidate {
  readonly number: number;
  readonly title: string;
  readonly state: "open" | "closed";
  readonly reporter: number | null;
  readonly why: CandidateReasons;
}

/**
 * The reasons for offering a candidate: shared words, the rarest first; function names of stack frames; names and lines of errors.
 */
export interface CandidateReasons {
  readonly words: readonly string[];
  readonly frames: readonly string[];
  readonly errors: readonly string[];
}

const MAX_WORDS = 8;
const MAX_FRAMES = 5;
const MAX_ERRORS = 3;

/**
 * Returns the best candidates for an issue, at most `limit`, with the reasons for each (D2). It does not claim that they are
 * duplicates.
 */
export function offerCandidates(index: IssueIndex, issue: IssueText, limit: number): DuplicateCandidate[] {
  const text = `${issue.title}\n${issue.body}`;
  const spelled = spelledWords(text);
  return index
    .similar(issue, limit)
    .map((found) => candidateOf(index, found, fingerprintsOf(text), (word) => spelled.get(word) ?? word));
}

/**
 * Returns the best candidates for an indexed issue; null: it is not indexed. The index stores no bodies, so words are spelled as in
 * one of the titles, or shown as stems.
 */
export function offerForIndexed(
  index: IssueIndex,
  number: number,
  limit: number,
): DuplicateCandidate[] | null {
  const similar = index.similarTo(number, limit);
  const fingerprints = index.fingerprints(number);
  if (similar === null || fingerprints === null) return null;
  const own = index.find(number)?.title ?? "";
  return similar.map((found) => {
    const spelled = spelledWords(`${own}\n${found.title}`);
    return candidateOf(index, found, fingerprints, (word) => spelled.get(word) ?? word.replace(/^=/, ""));
  });
}

function candidateOf(
  index: IssueIndex,
  { number, title, state, reporter, shared }: SimilarIssue,
  ours: Fingerprints,
  spelling: (word: string) => string,
): DuplicateCandidate {
  const theirs = index.fingerprints(number) ?? { frames: [], errors: [] };
  const both = (mine: readonly string[], other: readonly string[]): string[] =>
    mine.filter((one) => other.includes(one));
  return {
    number,
    title,
    state,
    reporter,
    why: {
      words: [...new Set(shared.map(spelling))].slice(0, MAX_WORDS),
      frames: both(ours.frames, theirs.frames).slice(0, MAX_FRAMES),
      errors: both(ours.errors, theirs.errors).slice(0, MAX_ERRORS),
    },
  };
}
