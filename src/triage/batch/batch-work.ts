import type { Issue } from "../../github/index.ts";
import type { CoderWorkspace } from "../../workspaces/index.ts";
import type { BatchContext, WorkFacts } from "./batch-context.ts";
import type { Publishable } from "./publishable.ts";
import type { RunRecord } from "./run-record.ts";
import type { AssessedIssue } from "./candidate.ts";
import type { RunPatience } from "./run-in-hand.ts";
import type { Selection } from "./select-issues.ts";

/**
 * The task that a batch performs on its issues: triage or a sweep. Everything around the task is the same: lock, cap, budget,
 * deadline, record, checkpoint, publication, undo.
 */
export interface BatchWork extends WorkFacts {
  /**
   * The suffix of the run id, after the second in which the batch began: `-` and eight hexadecimal digits where several machines
   * may begin batches in the same second; empty for a batch that has its home to itself.
   */
  runIdSuffix: string;
  /** The name of the work in messages for people. */
  title: "Triage Batch" | "Sweep";
  /**
   * Whether the batch first updates the issue index with the issues that people updated, so that it can offer likely duplicates.
   */
  feedsIssueIndex: boolean;
  /** Selects the issues (T1). Every issue that it reads is in one of the two lists, with its reason. */
  select(context: BatchContext): Promise<Selection>;
  /** Reads the issue's present facts. `before` are its facts at selection. */
  assess(
    issue: Issue,
    context: BatchContext,
    signal: AbortSignal,
    before: AssessedIssue | null,
  ): Promise<AssessedIssue>;
  /** Returns the publication that needs no Coder workspace, because nothing has to be run for it; null if there is none. */
  early(candidate: AssessedIssue, context: BatchContext): Promise<Publishable | null>;
  /** Works on the locked issue and returns what to publish; null: nothing is published, and the record says why. */
  conclude(
    fresh: AssessedIssue,
    workspace: CoderWorkspace,
    record: RunRecord,
    context: BatchContext,
    patience: RunPatience,
  ): Promise<Publishable | null>;
}

/** A batch together with all of its work. */
export interface WorkContext extends BatchContext {
  work: BatchWork;
}
