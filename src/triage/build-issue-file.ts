import { setImmediate } from "node:timers/promises";
import type { DuplicateCandidate } from "../duplicates/index.ts";
import {
  type HiddenTextKind,
  type Issue,
  type IssueComment,
  parseMarker,
  plainText,
  sanitiseInbound,
  type TriageNotes,
  truncateWithNotice,
} from "../github/index.ts";
import { type AskedQuestion, establishedFacts } from "./resumption/index.ts";

/**
 * The issue file, `afk-triage/issue@1`: the file from which a Triage Agent reads the issue. Everything that strangers (or an
 * earlier Triage Agent) wrote is between the keys `begin` and `end`, whose nonce they cannot know (S3). Hidden text is removed or
 * made visible (S2). The order of the keys is part of the format.
 */
export interface IssueFile {
  schema: "afk-triage/issue@1";
  repo: string;
  number: number;
  url: string;
  createdAt: string;
  /** The kinds of hidden text that were removed or made visible, and their places; never the hidden words themselves. */
  flags: IssueFileFlag[];
  /** The number of comments that are omitted because they are too old. */
  omittedComments: number;
  begin: string;
  title: string;
  body: string;
  author: string | null;
  labels: string[];
  /** Facts from our own earlier triage notes. The Triage Agent has to check them like everything else. */
  established: string[];
  /** The questions of our own earlier triage notes, and the answers. */
  asked: IssueFileQuestion[];
  comments: IssueFileComment[];
  /** Earlier issues that may report the same problem, the most likely one first. */
  candidates: IssueFileCandidate[];
  end: string;
}

export interface IssueFileQuestion {
  question: string;
  askedAt: string;
  /** If the Triage Agent asks an answered question again in the same words, the question is not published. */
  isAnswered: boolean;
  /** `comment` is the `createdAt` of the comment; `text` is null when the comment does not say what it answers. */
  answers: { comment: string; text: string | null }[];
}

/** `shared`: the words, stack frames and errors that both issues contain; they prove nothing. */
export interface IssueFileCandidate {
  number: number;
  title: string;
  state: "open" | "closed";
  shared: { words: string[]; frames: string[]; errors: string[] };
}

export interface IssueFileComment {
  author: string | null;
  isReporter: boolean;
  createdAt: string;
  body: string;
}

export interface IssueFileFlag {
  /** `title`, `body`, `comment <id>` or `candidate <number>` */
  place: string;
  kind: HiddenTextKind;
  count: number;
}

export interface IssueFileFacts {
  issue: Issue;
  comments: readonly IssueComment[];
  notes: TriageNotes | null;
  /** All trusted notes, the newest last. */
  history: readonly TriageNotes[];
  asked: readonly AskedQuestion[];
  /** The likely duplicates, of which the Triage Agent may name only one (D2). Absent: there are none. */
  offered?: readonly DuplicateCandidate[];
}

const MAX_COMMENTS = 100;
const MAX_COMMENT_CHARS = 20_000;
const MAX_COMMENTS_CHARS = 300_000;

/**
 * Returns the issue as data for the Triage Agent: hidden text is removed and flagged, our own comments are omitted, and sizes are
 * bounded. `nonce` is part of the markers around untrusted text.
 */
export async function buildIssueFile(facts: IssueFileFacts, nonce: string): Promise<IssueFile> {
  const { issue, comments, notes, history, asked, offered = [] } = facts;
  const flags: IssueFileFlag[] = [];
  const clean = (place: string, markdown: string): string => {
    const found = cleaned(place, markdown);
    flags.push(...found.flags);
    return found.text;
  };
  const title = clean("title", issue.title);
  const body = clean("body", issue.body);
  const others = comments.filter((comment) => !isOurs(comment, notes));
  const newest = await newestComments(others, issue);
  flags.push(...newest.flags);
  return {
    schema: "afk-triage/issue@1",
    repo: issue.ref.repo,
    number: issue.ref.number,
    url: issue.url,
    createdAt: issue.createdAt,
    flags,
    omittedComments: others.length - newest.comments.length,
    begin: `untrusted-${nonce}`,
    title,
    body,
    author: issue.author?.login ?? null,
    labels: issue.labels.map((label) => plainText(label)),
    established: establishedFacts(history),
    asked: asked.map(shownQuestion),
    comments: newest.comments,
    candidates: offered.map((candidate) => shownCandidate(candidate, clean)),
    end: `untrusted-${nonce}`,
  };
}

function cleaned(place: string, markdown: string): { text: string; flags: IssueFileFlag[] } {
  const { text, flags } = sanitiseInbound(markdown);
  return { text, flags: flags.map(({ kind, count }) => ({ place, kind, count })) };
}

/** Returns the candidate for the issue file. Strangers wrote every text of a candidate, so each text is sanitised. */
function shownCandidate(
  { number, title, state, why }: DuplicateCandidate,
  clean: (place: string, markdown: string) => string,
): IssueFileCandidate {
  const each = (texts: readonly string[]): string[] =>
    texts.map((text) => clean(`candidate ${number}`, text));
  const shared = { words: each(why.words), frames: each(why.frames), errors: each(why.errors) };
  return { number, title: clean(`candidate ${number}`, title), state, shared };
}

/**
 * Returns whether the comment is one of our triage notes. Their facts are in `established`, so the notes are not repeated as
 * comments.
 */
function isOurs(comment: IssueComment, notes: TriageNotes | null): boolean {
  const isOwnAuthor = notes !== null && comment.author?.id === notes.comment.author?.id;
  return isOwnAuthor && parseMarker(comment.body) !== null;
}

/**
 * Returns the newest comments, in ascending order of time, bounded by number and by size. The newest are kept because they answer
 * the questions. Only these are sanitised, and other work goes on between two of them: each may take up to two seconds.
 */
async function newestComments(
  comments: readonly IssueComment[],
  issue: Issue,
): Promise<Pick<IssueFile, "comments" | "flags">> {
  const kept: Pick<IssueFile, "comments" | "flags"> = { comments: [], flags: [] };
  let chars = 0;
  for (const { id, author, createdAt, body: markdown } of comments.slice(-MAX_COMMENTS).toReversed()) {
    await setImmediate();
    const { text, flags } = cleaned(`comment ${id}`, markdown);
    const body = truncateWithNotice(text, MAX_COMMENT_CHARS);
    chars += body.length;
    if (chars > MAX_COMMENTS_CHARS) break;
    const isReporter = author !== null && author.id === issue.author?.id;
    kept.comments.unshift({ author: author?.login ?? null, isReporter, createdAt, body });
    kept.flags.unshift(...flags);
  }
  return kept;
}

/**
 * Returns the question for the issue file. Hidden text in the answers is not flagged here, because it is already flagged with the
 * comments that contain the answers.
 */
function shownQuestion({ text, askedAt, answers }: AskedQuestion): IssueFileQuestion {
  return {
    question: text,
    askedAt,
    isAnswered: answers.length > 0,
    answers: answers.map((answer) => ({
      comment: answer.at,
      text: answer.text === null ? null : sanitiseInbound(answer.text).text,
    })),
  };
}
