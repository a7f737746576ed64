import { gradeLine } from "../../evidence/index.ts";
import { shownText } from "../../github/index.ts";
import type { AgentHandleState } from "../../tui/index.ts";
import { boardRunId, type RunRowDocument } from "../api/index.ts";
import {
  deriveHandleState,
  deriveSurface,
  type EvidenceFacts,
  pullRequestStatus,
  selectDisplayPullRequest,
  type TriageRunFacts,
} from "../../runs/index.ts";
import type { RunRow } from "../../store/index.ts";
import type { IssueReading } from "./batch-summaries.ts";

export interface RunRowFacts {
  /** The batch's summary of the issue, for runs of an older program. */
  issue: IssueReading | null;
  isParentDead: boolean;
  nowMs: number;
}

/** Returns a row as the board shows it. */
export function runRowDocument(row: RunRow, { issue, isParentDead, nowMs }: RunRowFacts): RunRowDocument {
  const { facts, displayStatus, indicator, startedAtMs, settledAtMs } = row;
  const { runId, repo, number, progress } = facts;
  return {
    id: boardRunId({ runId, repo, number }),
    runId,
    repo,
    number,
    title: facts.issue === null ? null : shownText(facts.issue.title),
    issueUrl: facts.issue?.url ?? null,
    displayStatus,
    indicator: { ...indicator, name: nameOf(deriveHandleState(facts, nowMs)) },
    phase: progress.phase,
    surface: progress.phase === "settled" ? null : deriveSurface(facts),
    startedAtMs,
    settledAtMs,
    parentLost: settledAtMs === null && isParentDead ? parentLost(facts) : null,
    end: progress.phase === "settled" ? endOf(progress.end) : null,
    policy: [...(facts.result?.policy ?? issue?.policy ?? [])],
    category: facts.result?.category ?? issue?.category ?? null,
    evidence: evidenceOf(facts.result?.evidence ?? null),
    usage: usageOf(facts.result?.usage ?? issue?.usage ?? null),
    pullRequest: displayedPullRequest(facts),
  };
}

/** Returns the indicator (L9) as a word, for people who do not see the symbol. */
function nameOf(state: AgentHandleState): string {
  if (state.type === "exited") return state.code === 0 ? "completed" : "failed";
  return state.type;
}

function parentLost({ activity, progress, runState }: TriageRunFacts): RunRowDocument["parentLost"] {
  const lastSeenAtMs = Math.max(
    activity.lastActivityAtMs,
    progress.history.at(-1)?.atMs ?? 0,
    runState.lastReportAtMs ?? 0,
  );
  return {
    lastSeenAtMs,
    remedy:
      "Run `afk-triage reap`: it deletes the Coder workspace and settles the run. The next Triage Batch does the same.",
  };
}

type End = Extract<TriageRunFacts["progress"], { phase: "settled" }>["end"];

function endOf(end: End): RunRowDocument["end"] {
  const { status, reason } = end;
  return {
    status,
    reason,
    outcome: "outcome" in end ? end.outcome : null,
    error: "error" in end ? end.error : null,
  };
}

function evidenceOf(evidence: EvidenceFacts | null): RunRowDocument["evidence"] {
  if (evidence === null) return null;
  const { verdict, runs, controls } = evidence;
  return { verdict, runs, controls, text: gradeLine(evidence) };
}

/** Returns the usage for the board. Values that the Triage Agent did not report are 0 in `usage`. */
function usageOf(usage: IssueReading["usage"] | null): RunRowDocument["usage"] {
  if (usage === null) return null;
  const { inputTokens, outputTokens, usd } = usage;
  const isTold = inputTokens + outputTokens + usd > 0;
  return isTold ? { inputTokens, outputTokens, usd: usd === 0 ? null : usd } : null;
}

function displayedPullRequest({ pullRequests }: TriageRunFacts): RunRowDocument["pullRequest"] {
  const shown = selectDisplayPullRequest(pullRequests);
  return shown === null ? null : pullRequestDocument(shown);
}

/** Returns a pull request's number, address and status for the board; a pull request without a status counts as closed. */
export function pullRequestDocument(
  pullRequest: TriageRunFacts["pullRequests"][number],
): NonNullable<RunRowDocument["pullRequest"]> {
  const { number, url } = pullRequest;
  return { number, url, status: pullRequestStatus(pullRequest) ?? "closed" };
}
