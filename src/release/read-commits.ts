import { filterRevertedCommitsSync } from "conventional-commits-filter";
import { type Commit, CommitParser } from "conventional-commits-parser";

/** A commit as git reports it. */
export interface RawCommit {
  hash: string;
  message: string;
}

/** A commit as a release uses it. */
export interface ReleaseCommit {
  hash: string;
  /** One line, without type and scope. The text is untrusted. */
  subject: string;
  /** null for a plain sentence, or for a type that is not in Conventional Commits. */
  type: CommitType | null;
  isBreaking: boolean;
  /** The text of a BREAKING CHANGE footer; "" if there is none. */
  breakingNote: string;
}

/** Types of the Angular convention: https://www.conventionalcommits.org */
const COMMIT_TYPES = [
  "feat",
  "fix",
  "perf",
  "revert",
  "refactor",
  "docs",
  "style",
  "test",
  "build",
  "ci",
  "chore",
] as const;
export type CommitType = (typeof COMMIT_TYPES)[number];

const HEADER = /^(\w{1,20})(?:\(([^()\n]{0,100})\))?!?: (.+)$/;
const BREAKING_HEADER = /^(\w{1,20})(?:\(([^()\n]{0,100})\))?!: (.+)$/;

const parser = new CommitParser({
  headerPattern: HEADER,
  breakingHeaderPattern: BREAKING_HEADER,
  headerCorrespondence: ["type", "scope", "subject"],
});

/** Matches the subject of the commit that `prep` creates. */
const RELEASE_COMMIT = /^Release v\d+\.\d+\.\d+/;

/**
 * Returns the commits, newest first, without release commits, commits that were reverted in the same range, and their reverts.
 */
export function readCommits(raw: readonly RawCommit[]): ReleaseCommit[] {
  const parsed = raw
    .filter(({ message }) => message.trim() !== "" && !RELEASE_COMMIT.test(message))
    // The filter identifies a reverted commit by its hash.
    .map(({ hash, message }) => Object.assign(parser.parse(message), { hash }));
  return [...filterRevertedCommitsSync(parsed)].map(releaseCommit);
}

function releaseCommit(parsed: Commit & { hash: string }): ReleaseCommit {
  const { hash, header, notes } = parsed;
  const type = COMMIT_TYPES.find((one) => one === parsed["type"]?.toLowerCase()) ?? null;
  const subject = (type === null ? header : parsed["subject"])?.trim() ?? "";
  // If only a `!` marks the commit as breaking, the parser uses the subject as the note.
  const breakingNote = notes.map(({ text }) => text.trim()).find((text) => text !== subject) ?? "";
  return { hash, subject, type, isBreaking: notes.length > 0, breakingNote };
}
