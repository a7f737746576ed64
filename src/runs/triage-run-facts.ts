import { isDeepStrictEqual } from "node:util";
import { type ActivityEvent, type ActivityFacts, newActivity, transitionActivity } from "./activity.ts";
import {
  type CoderWorkspaceEvent,
  type CoderWorkspaceFacts,
  noCoderWorkspace,
  transitionCoderWorkspace,
} from "./coder-workspace-facts.ts";
import { illegalTransition, unreachable } from "./illegal-transition.ts";
import type { IssueFacts, ResultFacts } from "./issue-facts.ts";
import { type PhaseEvent, type PhaseFacts, transitionPhase } from "./phase.ts";
import { type Nudge, type NudgeRecord, rememberNudge } from "./nudges.ts";
import type { PullRequestFacts } from "./pull-request-facts.ts";
import { idleRunState, type RunStateEvent, type RunStateFacts, transitionRunState } from "./run-state.ts";
import type { RunnerVerdict } from "./runner-verdict.ts";

/** The durable facts of one Triage Run (O2): small state machines side by side, each with one writer. Immutable. */
export interface TriageRunFacts {
  /** The Triage Batch. */
  readonly runId: string;
  /** `owner/name` */
  readonly repo: string;
  readonly number: number;
  readonly issue: IssueFacts | null;
  readonly progress: PhaseFacts;
  readonly runState: RunStateFacts;
  readonly activity: ActivityFacts;
  readonly coderWorkspace: CoderWorkspaceFacts;
  /** The Session the Triage Agent works in; null before it is opened. Kept afterwards: replay needs it. */
  readonly sessionId: string | null;
  /** Pull requests that close the issue and were open when the run began, or since. */
  readonly pullRequests: readonly PullRequestFacts[];
  /** O15: what its Triage Agent was told, or could not be told, the latest of every kind and pull request. */
  readonly nudges: readonly NudgeRecord[];
  /** What the runner last said of a silent Triage Agent; null while it is heard of, and without an active prompt. */
  readonly runnerVerdict: RunnerVerdict | null;
  /** O19: the batch whose terminated run this one relaunches; null for a run of its own. */
  readonly restoredFrom: string | null;
  /** null before the run's end is reported. */
  readonly result: ResultFacts | null;
}

export type TriageRunEvent = LifecycleEvent | OwnerEvent;

/** O11: only the lifecycle sends these. */
export type LifecycleEvent =
  | PhaseEvent
  | ActivityEvent
  | CoderWorkspaceEvent
  | { type: "session-opened"; sessionId: string }
  /** With the run's end, just before it settles. */
  | { type: "result-reported"; result: ResultFacts }
  | { type: "pull-requests-observed"; pullRequests: readonly PullRequestFacts[]; atMs: number }
  | { type: "nudge-sent"; nudge: Nudge; atMs: number }
  /** The gate let nothing through; it is tried again. `reason` is the gate's. */
  | { type: "nudge-refused"; nudge: Nudge; reason: string; atMs: number };

/** C3: only the run's owner sends these. */
export type OwnerEvent = RunStateEvent | { type: "runner-judged"; verdict: RunnerVerdict | "unknown" };

/** `owner/repo#n`: the key of a Triage Run within its batch. */
export function triageRunKey(facts: Pick<TriageRunFacts, "repo" | "number">): string {
  return `${facts.repo}#${facts.number}`;
}

export function selectedTriageRun(selection: {
  runId: string;
  repo: string;
  number: number;
  atMs: number;
  issue?: IssueFacts;
}): TriageRunFacts {
  const { atMs, issue = null, ...key } = selection;
  return {
    ...key,
    issue,
    progress: { phase: "selected", history: [{ phase: "selected", atMs }] },
    runState: idleRunState,
    activity: newActivity(atMs),
    coderWorkspace: noCoderWorkspace,
    sessionId: null,
    pullRequests: [],
    nudges: [],
    runnerVerdict: null,
    restoredFrom: null,
    result: null,
  };
}

/**
 * O19: the same issue once more, in another batch, which gives it another Coder workspace and another Session. It
 * counts as terminated until its spawn is completed. Only a terminated run can be restored.
 */
export function restoredTriageRun(
  before: TriageRunFacts,
  { runId, atMs }: { runId: string; atMs: number },
): TriageRunFacts {
  if (!before.activity.isTerminated) throw new Error(`${triageRunKey(before)} is not terminated`);
  const { repo, number, issue, activity, pullRequests, nudges } = before;
  const fresh = selectedTriageRun({ runId, repo, number, atMs });
  return { ...fresh, issue, activity, pullRequests, nudges, restoredFrom: before.runId };
}

/**
 * Sends an event to its state machine. The given object itself comes back when the event is no news.
 * Throws on an event that is impossible in the present state: that is a bug of the caller.
 */
export function transition(facts: TriageRunFacts, event: TriageRunEvent): TriageRunFacts {
  switch (event.type) {
    case "phase-entered":
      return { ...facts, progress: transitionPhase(facts.progress, event) };
    case "run-settled":
      return settled(facts, event);
    case "observation-window-ended":
      return { ...facts, runState: transitionRunState(facts.runState, event) };
    case "prompt-admitted":
    case "report-observed":
    case "final-report-observed":
    case "prompt-settled":
      return { ...facts, runState: transitionRunState(facts.runState, event), runnerVerdict: null };
    case "runner-judged":
      return judged(facts, event.verdict);
    case "spawn-completed":
    case "activity-signalled":
    case "triage-agent-exited":
    case "probed":
    case "terminated":
      return withActivity(facts, event);
    case "workspace-requested":
    case "workspace-created":
    case "workspace-refused":
    case "workspace-ready":
    case "workspace-deleting":
    case "workspace-deleted":
    case "workspace-stranded":
      return { ...facts, coderWorkspace: transitionCoderWorkspace(facts.coderWorkspace, event) };
    case "session-opened":
      return facts.sessionId === event.sessionId ? facts : { ...facts, sessionId: event.sessionId };
    case "result-reported":
      return { ...facts, result: event.result };
    case "pull-requests-observed":
      return observed(facts, event.pullRequests, event.atMs);
    case "nudge-sent":
      return nudged(facts, { ...event.nudge, refusal: null, atMs: event.atMs });
    case "nudge-refused":
      return nudged(facts, { ...event.nudge, refusal: event.reason, atMs: event.atMs });
    default:
      return unreachable(event);
  }
}

/** A settled run holds no Coder workspace, has no active prompt and no living Triage Agent (T5). */
function settled(facts: TriageRunFacts, event: PhaseEvent & { type: "run-settled" }): TriageRunFacts {
  const held = facts.coderWorkspace.state;
  if (held !== "absent" && held !== "stranded")
    illegalTransition("Triage Run", `Coder workspace ${held}`, event.type);
  if (facts.runState.state !== "idle")
    illegalTransition("Triage Run", `prompt ${facts.runState.state}`, event.type);
  const progress = transitionPhase(facts.progress, event);
  return { ...withActivity(facts, { type: "terminated", atMs: event.atMs }), progress };
}

function withActivity(facts: TriageRunFacts, event: ActivityEvent): TriageRunFacts {
  const activity = transitionActivity(facts.activity, event);
  return activity === facts.activity ? facts : { ...facts, activity };
}

/** O13: what the runner could not tell changes nothing; a death settles the prompt, which is the owner's to do. */
function judged(facts: TriageRunFacts, verdict: RunnerVerdict | "unknown"): TriageRunFacts {
  if (verdict === "unknown" || verdict === facts.runnerVerdict || facts.runState.state === "idle")
    return facts;
  return { ...facts, runnerVerdict: verdict };
}

function nudged(facts: TriageRunFacts, record: NudgeRecord): TriageRunFacts {
  const nudges = rememberNudge(facts.nudges, record);
  return nudges === facts.nudges ? facts : { ...facts, nudges };
}

/** O16: a merged pull request ends the run it belongs to. */
function observed(
  facts: TriageRunFacts,
  pullRequests: readonly PullRequestFacts[],
  atMs: number,
): TriageRunFacts {
  const next = isDeepStrictEqual(pullRequests, facts.pullRequests) ? facts : { ...facts, pullRequests };
  const isMerged = pullRequests.some((pullRequest) => pullRequest.state === "merged");
  return isMerged ? withActivity(next, { type: "terminated", atMs }) : next;
}
