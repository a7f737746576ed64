import type { IssueRef, RepositoryName } from "../../github/index.ts";
import type { RunPhase } from "../../runs/index.ts";
import type { WorkspaceOrigin } from "../../workspaces/index.ts";
import type { StageTimes } from "./stage-times.ts";
import type { IssueSummary } from "./summary.ts";

/** The steps of one Triage Run that can be watched, in order. */
export type WatchedPhase = Exclude<RunPhase, "selected" | "settled">;

/** The events of a Triage Batch for its observers. Observers only render events and cannot change a run (C7). */
export type BatchEvent =
  | {
      type: "batch-started";
      title: string;
      runId: string;
      repos: readonly RepositoryName[];
      provider: string;
    }
  /** `ref`: the issue whose Triage Run it is about; absent for the rest of the batch. */
  | { type: "warning"; message: string; ref?: IssueRef }
  | { type: "reaped"; name: string; reason: string }
  | { type: "selected"; eligible: number; skipped: number }
  | { type: "phase"; ref: IssueRef; title: string; phase: WatchedPhase; detail: string | null }
  | { type: "session-opened"; ref: IssueRef; sessionId: string }
  /** The second Coder workspace of a Triage Run, for the parent's own runs (V1), is about to be created. */
  | { type: "place-requested"; ref: IssueRef; name: string }
  | { type: "workspace-created"; ref: IssueRef; name: string; id: string }
  /** The Coder workspace that is the lock can be used; `stages` in milliseconds, in the order in which they began. */
  | { type: "workspace-ready"; ref: IssueRef; name: string; origin: WorkspaceOrigin; stages: StageTimes }
  /** The Triage Agent's checkout is ready; `stages` in milliseconds: `clone` and `setup`. */
  | { type: "checkout-ready"; ref: IssueRef; stages: StageTimes }
  /** The Coder workspace of a failed run is not destroyed before `until`, an ISO time, so that people can inspect it. */
  | { type: "kept-for-inspection"; ref: IssueRef; name: string; until: string }
  | { type: "issue-finished"; summary: IssueSummary; title: string }
  /** After the batch, files that the home no longer needed were removed. Sizes in bytes. */
  | { type: "pruned"; removed: number; failed: number; freedBytes: number; leftBytes: number }
  | { type: "stopping"; reason: string };

export type BatchObserver = (event: BatchEvent) => void;
