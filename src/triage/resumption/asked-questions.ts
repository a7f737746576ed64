import type { Issue, IssueComment, TriageNotes } from "../../github/index.ts";
import { type Activity, countsAsActivity } from "../eligibility/index.ts";
import { isBodyEdited } from "../publication/index.ts";
import { listUnder } from "./listed-items.ts";
import { questionKey } from "./question-key.ts";
import { recordedKeys } from "./questions-record.ts";
import { readReply } from "./read-reply.ts";

/** A question from our earlier notes, and the answers since. */
export interface AskedQuestion {
  key: string;
  /** The text as it was published. */
  text: string;
  askedAt: string;
  /** The answers, the oldest first; empty: the question is still open. */
  answers: AnswerGiven[];
}

export interface AnswerGiven {
  /**
   * The time at which the comment with the answer was written (`createdAt` in the issue file). For an edited report: the time of
   * its last change.
   */
  at: string;
  /** Untrusted. null: the reply does not say which question it answers, or the report itself was edited. */
  text: string | null;
}

export interface ResumptionFacts {
  issue: Issue;
  comments: readonly IssueComment[];
  /** Trusted notes, the newest last. */
  history: readonly TriageNotes[];
  viewerId: number;
  activity: Activity;
}

const MAX_QUESTIONS = 60;

/**
 * Returns every question asked so far, each once, in the order in which they were first asked. A reply answers the questions that
 * it quotes or numbers. A reply that does neither may answer any question of the last notes before it, so it counts as an answer
 * to all of them.
 */
export function askedQuestions(facts: ResumptionFacts): AskedQuestion[] {
  const asked = new Map<string, AskedQuestion>();
  const rounds = facts.history
    .filter(({ marker }) => marker.outcome === "needs-info")
    .map((notes) => ({ notes, keys: ask(notes, asked) }));
  for (const reply of repliesOf(facts)) {
    const round = rounds.findLast(({ notes }) => isAfter(reply, notes));
    if (round === undefined) continue;
    const answers = readReply(reply.body, { numbered: round.keys, all: [...asked.keys()] });
    for (const { key, text } of answers) asked.get(key)?.answers.push({ at: reply.createdAt, text });
  }
  for (const { notes, keys } of rounds) {
    if (isReportEdited(notes, facts)) {
      for (const key of keys) asked.get(key)?.answers.push({ at: facts.issue.updatedAt, text: null });
    }
  }
  return [...asked.values()].slice(-MAX_QUESTIONS);
}

/** Returns whether a question was already asked, in the same words, and has been answered since. */
export function isAnswered(asked: readonly AskedQuestion[]): (question: string) => boolean {
  const answered = new Set(asked.filter(({ answers }) => answers.length > 0).map(({ key }) => key));
  return (question) => answered.has(questionKey(question) ?? "");
}

/** Adds the notes' questions to `asked`, and returns their keys in the order of the list. */
function ask(notes: TriageNotes, asked: Map<string, AskedQuestion>): string[] {
  const recorded = recordedKeys(notes);
  const keys: string[] = [];
  for (const [index, text] of listUnder("What is needed", notes.marker.body).entries()) {
    const key = recorded === null ? questionKey(text) : (recorded[index] ?? null);
    if (key === null) continue;
    keys.push(key);
    if (!asked.has(key)) asked.set(key, { key, text, askedAt: notes.comment.createdAt, answers: [] });
  }
  return keys;
}

/** Returns the comments of the people whose comments count as activity: only they were asked. */
function repliesOf({ comments, ...facts }: ResumptionFacts): IssueComment[] {
  return comments
    .filter(({ author }) => countsAsActivity(author, facts))
    .toSorted((one, other) => one.id - other.id);
}

/** Returns whether the comment was written after the notes, or is older and was edited after them (T2). */
function isAfter({ id, createdAt, updatedAt }: IssueComment, { comment }: TriageNotes): boolean {
  if (id > comment.id) return true;
  const editedMs = Date.parse(updatedAt);
  return editedMs > Date.parse(createdAt) && editedMs >= Date.parse(comment.createdAt);
}

function isReportEdited(notes: TriageNotes, { issue, ...facts }: ResumptionFacts): boolean {
  return countsAsActivity(issue.author, { issue, ...facts }) && isBodyEdited(issue, notes);
}
