import type { Issue } from "../../github/index.ts";
import type { CoderWorkspace } from "../../workspaces/index.ts";
import type { BatchContext, WorkFacts } from "./batch-context.ts";
import type { Publishable } from "./publishable.ts";
import type { RunRecord } from "./run-record.ts";
import type { AssessedIssue } from "./candidate.ts";
import type { RunPatience } from "./run-in-hand.ts";
import type { Selection } from "./select-issues.ts";

/**
 * The work of a batch on its issues. The machine around it is the same for all: lock, cap, budget, deadline, record,
 * checkpoint, publication, undo. The triage of issues is one such work; a sweep is another.
 */
export interface BatchWork extends WorkFacts {
  /**
   * Follows the second in which the batch began in its run id: `-` and eight hexadecimal digits for one of many batches that begin
   * in one second on several machines; empty for a batch that has its home to itself.
   */
  runIdSuffix: string;
  /** Whether issues that people updated are put into the issue index first, so that likely duplicates can be offered. */
  feedsIssueIndex: boolean;
  /** T1: every issue seen ends up in one of the two lists, with its reason. */
  select(context: BatchContext): Promise<Selection>;
  /** Reads the issue's present facts. `before`: its facts at selection. */
  assess(
    issue: Issue,
    context: BatchContext,
    signal: AbortSignal,
    before: AssessedIssue | null,
  ): Promise<AssessedIssue>;
  /** The publication that needs no Coder workspace, because nothing has to be run for it; null if there is none. */
  early(candidate: AssessedIssue, context: BatchContext): Promise<Publishable | null>;
  /** From the locked issue to what is published; null: nothing is, and the record says why. */
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
