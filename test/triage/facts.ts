import {
  findTriageNotes,
  type Issue,
  type IssueComment,
  type IssueRef,
  type LabelEvent,
  type Person,
  renderTriageNotes,
  type TriageNotes,
} from "../../src/github/index.ts";
import type { DuplicateCandidate } from "../../src/duplicates/index.ts";
import {
  type ComparedIssue,
  decide,
  type Decision,
  type DecisionFacts,
  decideWithoutOutcome,
  noInsight,
  type NoOutcomeFacts,
  type Outcome,
  type Reproduction,
  type ReproductionRun,
  type Verification,
} from "../../src/triage/index.ts";

export const viewer: Person = { id: 1, login: "triage-bot", isBot: true };
export const reporter: Person = { id: 2, login: "reporter", isBot: false };
export const maintainer: Person = { id: 3, login: "maintainer", isBot: false };
export const dependabot: Person = { id: 4, login: "dependabot[bot]", isBot: true };

export const ref: IssueRef = { repo: "octo/widgets", number: 123 };

/** Returns the time, such as `14:15`, on the day on which every test takes place. */
export function at(time: string): string {
  return `2026-04-30T${time}:00Z`;
}

export function issueWith(change: Partial<Issue> = {}): Issue {
  return {
    ref,
    title: "widget() crashes on an empty list",
    body: "It throws.",
    state: "open",
    stateReason: null,
    locked: false,
    labels: ["needs-triage"],
    author: reporter,
    createdAt: at("09:00"),
    updatedAt: at("09:00"),
    isPullRequest: false,
    url: "https://github.com/octo/widgets/issues/123",
    commentCount: 0,
    reactionCount: 0,
    milestone: null,
    ...change,
  };
}

let nextId = 1_000;

export function commentBy(
  author: Person | null,
  time: string,
  change: Partial<IssueComment> = {},
): IssueComment {
  const id = (nextId += 1);
  const createdAt = at(time);
  return { id, body: "words", author, createdAt, updatedAt: createdAt, url: `${ref.repo}#${id}`, ...change };
}

/** Returns our published triage notes. */
export function notesAt(
  time: string,
  outcome: Outcome["outcome"],
  extra: Record<string, string> = {},
): TriageNotes {
  const body = renderTriageNotes({
    repo: ref.repo,
    issue: ref.number,
    outcome,
    run: "20260430T141500Z",
    extra,
    body: "Notes.",
  });
  const comment = commentBy(viewer, time, { body });
  const { notes } = findTriageNotes({
    comments: [comment],
    ref,
    trust: { viewerId: viewer.id, trustedAuthors: [], keys: [] },
  });
  if (notes === null) throw new Error("the notes of this test are not valid");
  return notes;
}

export function labelEvent(action: LabelEvent["action"], label: string, time: string): LabelEvent {
  return { action, label, actor: maintainer, createdAt: at(time) };
}

export const reproduction: Reproduction = {
  attempted: true,
  reproduced: true,
  script: "#!/bin/sh\nnode -e 'widget([])'\n",
  expect: { exitCode: 1, outputContains: "TypeError" },
  expected: "an empty result",
  actual: "a TypeError",
  environment: "node 20, linux",
};

export function runWith(change: Partial<ReproductionRun> = {}): ReproductionRun {
  return {
    exitCode: 1,
    timedOut: false,
    matched: true,
    durationMs: 420,
    outputExcerpt: "TypeError: undefined is not a list",
    screenHash: "0123456789abcdef0123",
    ...change,
  };
}

/** An earlier issue that was offered to the Triage Agent. */
export const candidate: DuplicateCandidate = {
  number: 7,
  title: "widget() fails without entries",
  state: "open",
  reporter: 9,
  why: { words: ["widget", "list"], frames: ["firstOf"], errors: ["TypeError"] },
};

const fixed = { before: "bad", at: "good" } as const;

/** The candidate's reproduction and the issue's reproduction stop showing the bug at the same commit. */
export const comparedWithCandidate: ComparedIssue = {
  number: candidate.number,
  state: "open",
  cause: {
    type: "proven",
    change: { kind: "first-fixed", commit: "f".repeat(40), first: fixed, second: fixed },
    tie: { type: "part", lines: 2 },
  },
};

export function outcomeWith(change: Partial<Outcome> = {}): Outcome {
  return {
    schema: "afk-triage/outcome@2",
    security: { level: "none", kind: null },
    issue: ref.number,
    category: "bug",
    outcome: "ready-for-agent",
    confidence: "high",
    summary: "widget() reads the first entry without a check.",
    established: ["It happens since version 2."],
    questions: [],
    brief: {
      currentBehavior: "`widget([])` throws a TypeError.",
      desiredBehavior: "`widget([])` returns an empty list.",
      keyInterfaces: ["`widget(list)`"],
      acceptanceCriteria: ["`widget([])` returns `[]`", "other lists are unchanged"],
      outOfScope: ["the command line"],
    },
    reproduction,
    wontfix: null,
    duplicateOf: null,
    ...change,
  };
}

/** Decides about an issue without earlier questions and without comments by the reporter. */
export function decideAlone(facts: DecisionFacts): Decision {
  return decide(facts, () => false, []);
}

/** The same without a valid outcome; `wrote` is the text that was written instead. */
export function decideWithout(
  problem: string,
  wrote = "",
  issue: NoOutcomeFacts["issue"] = issueWith(),
): Decision {
  return decideWithoutOutcome({ issue, problem, wrote }, []);
}

/** Returns the decision on a verified bug whose reproduction has the same cause as the candidate's. */
export function provenDuplicate(closesProven: boolean, state: ComparedIssue["state"] = "open"): Decision {
  const insight = { ...noInsight, compared: [{ ...comparedWithCandidate, state }] };
  const runs = [runWith(), runWith(), runWith()];
  const verification: Verification = { type: "reproduced", runs, reproduction, insight };
  const duplicates = { offered: [candidate], closesProven };
  return decideAlone({ issue: issueWith(), outcome: outcomeWith(), verification, duplicates });
}
