import type { DuplicateCandidate } from "../../duplicates/index.ts";
import type { ReadyWorkspace } from "../../workspaces/index.ts";
import type { ControlFile, TriageFiles } from "../triage-agent.ts";
import type { BatchContext } from "./batch-context.ts";
import type { AssessedIssue } from "./candidate.ts";
import type { RunRecord } from "./run-record.ts";

/**
 * How many place numbers each verification has: more than the times that one can begin again after lost connections. The last
 * number is left for an observation.
 */
export const REPEATS = 100;

/** How long the parent may still work on this issue, and the signal that ends it. */
export interface RunPatience {
  signal: AbortSignal;
  /** Milliseconds, at least 1. */
  remainingMs: () => number;
}

/** The facts that all steps of one Triage Run share. */
export interface RunInHand {
  fresh: AssessedIssue;
  ready: ReadyWorkspace;
  files: TriageFiles;
  /** The files in the control directory when the Triage Agent starts. */
  controlFiles: readonly ControlFile[];
  /** The earlier issues of which the Triage Agent may call this issue a duplicate. */
  offered: readonly DuplicateCandidate[];
  record: RunRecord;
  context: BatchContext;
  patience: RunPatience;
}
