import { type ActivityEvent, type ActivityFacts, newActivity, transitionActivity } from "./activity.ts";
import {
  type CoderWorkspaceEvent,
  type CoderWorkspaceFacts,
  noCoderWorkspace,
  transitionCoderWorkspace,
} from "./coder-workspace-facts.ts";
import { illegalTransition, unreachable } from "./illegal-transition.ts";
import { type PhaseEvent, type PhaseFacts, transitionPhase } from "./phase.ts";
import type { PullRequestFacts } from "./pull-request-facts.ts";
import { idleRunState, type RunStateEvent, type RunStateFacts, transitionRunState } from "./run-state.ts";

/** The durable facts of one Triage Run (O2): four small state machines side by side. Immutable. */
export interface TriageRunFacts {
  /** The Triage Batch. */
  readonly runId: string;
  /** `owner/name` */
  readonly repo: string;
  readonly number: number;
  readonly progress: PhaseFacts;
  readonly runState: RunStateFacts;
  readonly activity: ActivityFacts;
  readonly coderWorkspace: CoderWorkspaceFacts;
  /** The Session the Triage Agent works in; null before it is opened. Kept afterwards: replay needs it. */
  readonly sessionId: string | null;
  /** Pull requests linked to the issue; none are observed while a fresh issue is triaged. */
  readonly pullRequests: readonly PullRequestFacts[];
}

export type TriageRunEvent =
  | PhaseEvent
  | RunStateEvent
  | ActivityEvent
  | CoderWorkspaceEvent
  | { type: "session-opened"; sessionId: string }
  | { type: "pull-requests-observed"; pullRequests: readonly PullRequestFacts[]; atMs: number };

/** `owner/repo#n`: the key of a Triage Run within its batch. */
export function triageRunKey(facts: Pick<TriageRunFacts, "repo" | "number">): string {
  return `${facts.repo}#${facts.number}`;
}

export function selectedTriageRun(selection: {
  runId: string;
  repo: string;
  number: number;
  atMs: number;
}): TriageRunFacts {
  const { atMs, ...key } = selection;
  return {
    ...key,
    progress: { phase: "selected", history: [{ phase: "selected", atMs }] },
    runState: idleRunState,
    activity: newActivity(atMs),
    coderWorkspace: noCoderWorkspace,
    sessionId: null,
    pullRequests: [],
  };
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
    case "prompt-admitted":
    case "report-observed":
    case "observation-window-ended":
    case "prompt-settled":
      return { ...facts, runState: transitionRunState(facts.runState, event) };
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
    case "pull-requests-observed":
      return observed(facts, event.pullRequests, event.atMs);
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

/** O16: a merged pull request ends the run it belongs to. */
function observed(
  facts: TriageRunFacts,
  pullRequests: readonly PullRequestFacts[],
  atMs: number,
): TriageRunFacts {
  const next = { ...facts, pullRequests };
  const isMerged = pullRequests.some((pullRequest) => pullRequest.state === "merged");
  return isMerged ? withActivity(next, { type: "terminated", atMs }) : next;
}
