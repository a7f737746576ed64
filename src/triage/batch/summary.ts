import type { EvidenceSummary } from "../../evidence/index.ts";
import type { IssueRef, RepositoryName } from "../../github/index.ts";
import type { IssueCategory, TriageState } from "../outcome.ts";
import type { DeniedRequests } from "../denied-requests.ts";
import { noUsage, type Usage } from "../triage-agent.ts";

export type IssueStatus = "applied" | "skipped" | "locked" | "requeued" | "failed";

/** One issue of the summary (`afk-triage/summary@1`). */
export interface IssueSummary {
  repo: RepositoryName;
  number: number;
  status: IssueStatus;
  /** A stable kebab-case code: why it was eligible, skipped, requeued or failed. */
  reason: string;
  category: IssueCategory | null;
  outcome: TriageState | null;
  policy: string[];
  commentUrl: string | null;
  /** `id` is null when the answer to its creation was lost. */
  workspace: WorkspaceSummary | null;
  artifacts: Artifacts;
  /** The grade of the parent's own runs of the reproduction (V7); null when it ran none. */
  evidence: EvidenceSummary | null;
  usage: Usage;
  /**
   * The ids of its Triage Agent's conversations with the model, as the Triage Agent reported them; a gateway knows them by the
   * same ids.
   */
  modelSessions: readonly string[];
  /** Requests that an Agent Firewall denied the Triage Agent; null without any, or without a firewall. */
  deniedRequests: DeniedRequests | null;
  timings: Timings;
  error: SummaryError | null;
}

export interface WorkspaceSummary {
  name: string;
  id: string | null;
  destroyed: boolean;
  /** When a Coder workspace that is kept for inspection is destroyed, as an ISO time; null: it is not kept. */
  keptUntil: string | null;
}

/** Absolute paths on the parent's machine; null where a Triage Run did not get that far. */
export interface Artifacts {
  eventLog: string | null;
  recording: string | null;
  screenshot: string | null;
  outcome: string | null;
  /** The recording of the parent's own runs of the reproduction. */
  verification: string | null;
  /** The patch of the Triage Agent's changes to the checkout. */
  patch: string | null;
}

export interface Timings {
  provisionMs: number;
  agentMs: number;
  verifyMs: number;
  applyMs: number;
  destroyMs: number;
  /**
   * The time for searching what the Sessions showed for secrets of the parent, and for masking and recording it once the Coder
   * workspace is gone.
   */
  cleanMs: number;
}

export interface SummaryError {
  code: string;
  message: string;
  remedy: string;
}

/** The document that `afk-triage run` prints on stdout. */
export interface BatchSummary {
  schema: "afk-triage/summary@1";
  runId: string;
  repos: readonly RepositoryName[];
  startedAt: string;
  finishedAt: string;
  totals: Record<IssueStatus, number>;
  issues: IssueSummary[];
  /** Coder workspaces that could not be deleted, or that may exist although that is unknown. */
  stranded: { name: string; id: string | null; error: SummaryError }[];
  /**
   * Coder workspaces of failed runs that people may inspect until `until`; after that, the first parent or reaper that sees one
   * destroys it.
   */
  kept: KeptSummary[];
}

export interface KeptSummary {
  repo: RepositoryName;
  number: number;
  name: string;
  id: string;
  until: string;
}

export const noArtifacts: Artifacts = {
  eventLog: null,
  recording: null,
  screenshot: null,
  outcome: null,
  verification: null,
  patch: null,
};

const noTimings: Timings = {
  provisionMs: 0,
  agentMs: 0,
  verifyMs: 0,
  applyMs: 0,
  destroyMs: 0,
  cleanMs: 0,
};

/** Returns the summary of an issue of which only status and reason are known yet. */
export function emptySummary({ repo, number }: IssueRef, status: IssueStatus, reason: string): IssueSummary {
  return {
    repo,
    number,
    status,
    reason,
    category: null,
    outcome: null,
    policy: [],
    commentUrl: null,
    workspace: null,
    artifacts: { ...noArtifacts },
    evidence: null,
    usage: noUsage,
    modelSessions: [],
    deniedRequests: null,
    timings: { ...noTimings },
    error: null,
  };
}

export function countStatuses(issues: readonly IssueSummary[]): Record<IssueStatus, number> {
  const totals = { applied: 0, skipped: 0, locked: 0, requeued: 0, failed: 0 };
  for (const issue of issues) totals[issue.status] += 1;
  return totals;
}
