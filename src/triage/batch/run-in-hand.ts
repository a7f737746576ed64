import type { DuplicateCandidate } from "../../duplicates/index.ts";
import type { ReadyWorkspace } from "../../workspaces/index.ts";
import type { ControlFile, TriageFiles } from "../triage-agent.ts";
import type { BatchContext } from "./batch-context.ts";
import type { AssessedIssue } from "./candidate.ts";
import type { RunRecord } from "./run-record.ts";

/** More than one verification can begin again after lost connections; the last one is left for an observation. */
export const REPEATS = 100;

/** How long the parent may still work on this issue, and the signal that ends it. */
export interface RunPatience {
  signal: AbortSignal;
  /** Milliseconds, at least 1. */
  remainingMs: () => number;
}

/** Everything one Triage Run's steps share. */
export interface RunInHand {
  fresh: AssessedIssue;
  ready: ReadyWorkspace;
  files: TriageFiles;
  /** The files of the control directory when the Triage Agent begins. */
  controlFiles: readonly ControlFile[];
  /** The earlier issues that the Triage Agent may call a duplicate of. */
  offered: readonly DuplicateCandidate[];
  record: RunRecord;
  context: BatchContext;
  patience: RunPatience;
}
