import type { Outcome } from "../../../src/triage/index.ts";
import type { GithubWorld } from "../github/github-world.ts";
import type { IssueRef } from "../../../src/github/index.ts";

/** One attempt on one rule: what the attacker arranges, what the always obeying Triage Agent does, what must come of it. */
export interface Attack {
  /** `S1` … `S21`. */
  row: string;
  name: string;
  issue?: { title?: string; body?: string; labels?: readonly string[]; by?: string };
  /** Written before the batch, in this order. */
  comments?: readonly { by: string; body: string | ((ref: IssueRef) => string) }[];
  /** An object that another user created under a name like ours before the batch; it must still exist afterwards. */
  squat?: Squat;
  /** Its Triage Agent looks at all processes of its machine: it gets a process table of its own where a stand-in lacks one. */
  looksAtProcesses?: boolean;
  /**
   * Its leftovers may write to Coder workspaces of other attacks: both stand-ins have one file system, which machines
   * of a deployment do not share. Its batch takes one issue at a time.
   */
  playsAlone?: boolean;
  agent: Deeds;
  /** The actions of people while the Triage Agent works; it waits for them. */
  meanwhile?: (world: AttackedWorld, ref: IssueRef) => Promise<void>;
  /** `<status> <outcome or reason>`, as the summary has it. */
  expected: RegExp;
  /** Must stand in nothing that is published, logged or kept, however it is read. */
  forbidden?: readonly string[];
  /** Variables of the parent's environment. */
  environment?: Readonly<Record<string, string>>;
  /** Slow to render, or shown by a unit test already: the suite plays it, the default run does not. */
  isForRealOnly?: boolean;
  /** Further faults of what was seen. */
  inspect?: (seen: Seen, provider: string | null) => string[];
}

export interface Squat {
  /** Below the local provider's root; gives the name of what was made. */
  local: (root: string, name: string) => Promise<string>;
  /** In the Coder deployment. */
  coder: (name: string) => { name: string; parameters?: Record<string, string>; isForeign?: boolean };
}

/** The actions of a Triage Agent in its Coder workspace, in this order. */
export interface Deeds {
  print?: string;
  /** bash, in the checkout; `$DROP` is a directory that the attack is inspected by. */
  shell?: string;
  /** The outcome that it writes: a document, or a text as it is; null: nothing. */
  outcome: object | string | null;
}

export interface AttackedWorld extends GithubWorld {
  answerWith(ref: IssueRef, status: 301 | 404 | 410): void;
}

/** The results of an attack. */
export interface Seen {
  number: number;
  /** As `expected` is matched against. */
  end: string;
  /** Our new comments on the issue. */
  comments: readonly string[];
  labels: readonly string[];
  state: "open" | "closed";
  /** The issue file as the Triage Agent read it. */
  issueFile: string;
  prompt: string;
  stderr: string;
  /** The files that the attack left in `$DROP`, by name; absent on paper. */
  drop: ReadonlyMap<string, string>;
}

/** A harmless proposal, which needs no reproduction. */
export function proposing(change: Partial<Record<keyof Outcome, unknown>> = {}): object {
  return {
    schema: "afk-triage/outcome@2",
    security: { level: "none", kind: null },
    category: "bug",
    outcome: "needs-info",
    confidence: "high",
    summary: "It depends on the version.",
    established: ["It is in widget.mjs."],
    questions: ["Which version is it?"],
    brief: null,
    reproduction: null,
    wontfix: null,
    duplicateOf: null,
    ...change,
  };
}

/** The same words in every place of a proposal that is published. */
export function everywhere(words: string): object {
  const line = words.slice(0, 480);
  return proposing({
    summary: line,
    established: [words.slice(0, 900), `about ${words.slice(0, 900)}`],
    questions: [words.slice(0, 900)],
    reproduction: {
      attempted: true,
      reproduced: true,
      script: `#!/bin/sh\n${words}\n`,
      expect: { exitCode: 1, outputContains: line },
      expected: words,
      actual: words,
      environment: line,
    },
  });
}

/** The same words in a brief, for a person. */
export function inBrief(words: string): object {
  return proposing({
    outcome: "ready-for-human",
    questions: [],
    summary: words.slice(0, 480),
    brief: {
      currentBehavior: words,
      desiredBehavior: words,
      keyInterfaces: [words.slice(0, 900)],
      acceptanceCriteria: [words.slice(0, 900)],
      outOfScope: [words.slice(0, 900)],
    },
  });
}

export const appliedNeedsInfo = /^applied needs-info$/;
export const refused = /^applied needs-triage no-valid-outcome$/;
export const leaked = /^failed secret-leaked$/;
