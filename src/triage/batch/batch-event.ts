import type { IssueRef, RepositoryName } from "../../github/index.ts";
import type { IssueSummary } from "./summary.ts";

/** The steps of one Triage Run, in order. */
export type RunPhase =
  | "waiting"
  | "creating"
  | "preparing"
  | "triaging"
  | "verifying"
  | "applying"
  | "destroying";

/** What a Triage Batch tells whoever watches it. Observers render; nothing they do changes a run (C7). */
export type BatchEvent =
  | { type: "batch-started"; runId: string; repos: readonly RepositoryName[]; provider: string }
  | { type: "warning"; message: string }
  | { type: "reaped"; name: string; reason: string }
  | { type: "selected"; eligible: number; skipped: number }
  | { type: "phase"; ref: IssueRef; title: string; phase: RunPhase; detail: string | null }
  | { type: "session-opened"; ref: IssueRef; sessionId: string }
  | { type: "workspace-created"; ref: IssueRef; name: string; id: string }
  | { type: "issue-finished"; summary: IssueSummary; title: string }
  | { type: "stopping"; reason: string };

export type BatchObserver = (event: BatchEvent) => void;
