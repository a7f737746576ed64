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

/** The stored facts of one Triage Run: independent state machines, each with one writer (O2). The object is immutable. */
export interface TriageRunFacts {
  /** The id of the Triage Batch. */
  readonly runId: string;
  /** `owner/name` */
  readonly repo: string;
  readonly number: number;
  readonly issue: IssueFacts | null;
  readonly progress: PhaseFacts;
  readonly runState: RunStateFacts;
  readonly activity: ActivityFacts;
  readonly coderWorkspace: CoderWorkspaceFacts;
  /** The Session of the Triage Agent; null before it is opened. The id is kept after the end, for replay. */
  readonly sessionId: string | null;
  /** Pull requests that close the issue and were open at the start of the run, or later. */
  readonly pullRequests: readonly PullRequestFacts[];
  /** The latest nudge of each kind and pull request, sent or refused (O15). */
  readonly nudges: readonly NudgeRecord[];
  /** The runner's last verdict on a silent Triage Agent; null after new output and without an active prompt. */
  readonly runnerVerdict: RunnerVerdict | null;
  /** The batch of the terminated run that this run relaunches (O19); null for other runs. */
  readonly restoredFrom: string | null;
  /** null before the run's end is reported. */
  readonly result: ResultFacts | null;
}

export type TriageRunEvent = LifecycleEvent | OwnerEvent;

/** The events that only the lifecycle sends (O11). */
export type LifecycleEvent =
  | PhaseEvent
  | ActivityEvent
  | CoderWorkspaceEvent
  | { type: "session-opened"; sessionId: string }
  /** Sent with the run's end, just before it settles. */
  | { type: "result-reported"; result: ResultFacts }
  | { type: "pull-requests-observed"; pullRequests: readonly PullRequestFacts[]; atMs: number }
  | { type: "nudge-sent"; nudge: Nudge; atMs: number }
  /** The gate refused the nudge with this `reason`; the nudge will be retried. */
  | { type: "nudge-refused"; nudge: Nudge; reason: string; atMs: number };

/** The events that only the run's owner sends (C3). */
export type OwnerEvent = RunStateEvent | { type: "runner-judged"; verdict: RunnerVerdict | "unknown" };

/** Returns `owner/repo#n`, the key of a Triage Run within its batch. */
export function triageRunKey(facts: Pick<TriageRunFacts, "repo" | "number">): string {
  return `${facts.repo}#${facts.number}`;
}

/** Returns the facts of a run whose issue was just selected. */
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
 * Returns the facts of a new run of the same issue in another batch, which gets a new Coder workspace and a new Session (O19).
 * The run counts as terminated until its spawn is completed. Throws when `before` is not terminated.
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
 * Returns the facts after an event, which is sent to its state machine. They are the same object when nothing changes. Throws on an
 * event that is impossible in the current state, which is a bug of the caller.
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
    case "workspace-kept":
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

/**
 * Returns the facts of the settled run. A settled run has no Coder workspace, except one that is kept or stranded, no active prompt
 * and no living Triage Agent (T5).
 */
function settled(facts: TriageRunFacts, event: PhaseEvent & { type: "run-settled" }): TriageRunFacts {
  const held = facts.coderWorkspace.state;
  if (held !== "absent" && held !== "kept" && held !== "stranded")
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

/**
 * Returns the facts with a runner verdict. An unknown verdict changes nothing (O13). After a proven death the owner settles the
 * prompt.
 */
function judged(facts: TriageRunFacts, verdict: RunnerVerdict | "unknown"): TriageRunFacts {
  if (verdict === "unknown" || verdict === facts.runnerVerdict || facts.runState.state === "idle")
    return facts;
  return { ...facts, runnerVerdict: verdict };
}

function nudged(facts: TriageRunFacts, record: NudgeRecord): TriageRunFacts {
  const nudges = rememberNudge(facts.nudges, record);
  return nudges === facts.nudges ? facts : { ...facts, nudges };
}

/** Returns the facts with the observed pull requests. A merged pull request terminates its run (O16). */
function observed(
  facts: TriageRunFacts,
  pullRequests: readonly PullRequestFacts[],
  atMs: number,
): TriageRunFacts {
  const next = isDeepStrictEqual(pullRequests, facts.pullRequests) ? facts : { ...facts, pullRequests };
  const isMerged = pullRequests.some((pullRequest) => pullRequest.state === "merged");
  return isMerged ? withActivity(next, { type: "terminated", atMs }) : next;
}
