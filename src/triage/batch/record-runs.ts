import { issueKey } from "../../github/index.ts";
import {
  admission,
  type LifecycleEvent,
  type ResultFacts,
  runPhases,
  type RunOwner,
  type RunService,
  type TriageRunEnd,
  type TriageRunFacts,
} from "../../runs/index.ts";
import type { WorkspaceErrorCode } from "../../workspaces/index.ts";
import type { BatchPorts } from "./batch-context.ts";
import type { BatchEvent, BatchObserver, WatchedPhase } from "./batch-event.ts";
import type { IssueSummary } from "./summary.ts";

/**
 * Returns an observer that reports the batch's events to the owners of its Triage Runs. The owners decide what follows from an
 * event and store it. `stop` is the batch's stop signal.
 */
export function createRecorder(
  service: RunService,
  { clock, triageAgent }: Pick<BatchPorts, "clock" | "triageAgent">,
  stop: AbortSignal,
): BatchObserver {
  return (event) => {
    const key = keyOf(event);
    const owner = key === null ? null : service.find(key);
    if (owner === null) return;
    if (event.type === "phase") settleBefore(owner, event.phase, stop);
    const hearing = { atMs: clock.nowMs(), isSignalCapable: triageAgent.signalsActivity };
    owner.together(() => report(owner, event, hearing));
  };
}

/** Settles a prompt whose end was not reported: its outcome is known, it was stopped, or its runner is gone. */
function settleBefore(owner: RunOwner, phase: WatchedPhase, stop: AbortSignal): void {
  if (phase === "verifying" || phase === "applying") owner.settle("turn-outcome");
  if (phase !== "destroying") return;
  owner.settle(stop.aborted || owner.stopSignal.aborted ? "stop" : "runner-missing");
}

function keyOf(event: BatchEvent): string | null {
  switch (event.type) {
    case "phase":
    case "session-opened":
    case "workspace-created":
      return issueKey(event.ref);
    case "issue-finished":
      return issueKey(event.summary);
    default:
      return null;
  }
}

interface Hearing {
  atMs: number;
  /** Whether the batch's Triage Agent can signal its activity (O2). */
  isSignalCapable: boolean;
}

function report(owner: RunOwner, event: BatchEvent, hearing: Hearing): void {
  const { atMs } = hearing;
  switch (event.type) {
    case "phase":
      enter(owner, event.phase, event.detail, hearing);
      return;
    case "workspace-created":
      owner.lifecycle.report({ type: "workspace-created", id: event.id });
      return;
    case "session-opened":
      owner.lifecycle.report({ type: "session-opened", sessionId: event.sessionId });
      return;
    case "issue-finished":
      owner.lifecycle.report(
        ...workspaceEnd(owner.facts, event.summary),
        { type: "result-reported", result: resultOf(event.summary) },
        { type: "run-settled", end: endOf(event.summary), atMs },
      );
      return;
    default:
  }
}

/**
 * Records that a run entered a phase. The batch reports a phase again for each of its details, but only entering the phase is a
 * lifecycle event.
 */
function enter(owner: RunOwner, phase: WatchedPhase, detail: string | null, hearing: Hearing): void {
  const { atMs } = hearing;
  const current = owner.facts.progress.phase;
  if (runPhases.indexOf(phase) > runPhases.indexOf(current)) {
    owner.lifecycle.report({ type: "phase-entered", phase, atMs }, ...consequences(phase, detail));
  } else if (phase !== current) return;
  if (phase === "triaging") spawned(owner, hearing);
}

function consequences(phase: WatchedPhase, detail: string | null): LifecycleEvent[] {
  switch (phase) {
    case "creating":
      return [{ type: "workspace-requested", name: detail ?? "" }];
    case "preparing":
      return [{ type: "workspace-ready" }];
    case "destroying":
      return [{ type: "workspace-deleting" }];
    case "triaging":
    case "verifying":
    case "applying":
      return [];
    default:
      return phase satisfies never;
  }
}

/** Reports the start of a Triage Agent, including a restart after its connection was lost. */
function spawned(owner: RunOwner, { atMs, isSignalCapable }: Hearing): void {
  // A run that was killed before stays terminated (O18).
  if (owner.stopSignal.aborted || admission(owner.facts.runState).type === "closed") return;
  owner.lifecycle.report({ type: "spawn-completed", isSignalCapable, atMs });
  owner.admit();
  // A Triage Agent that cannot signal its activity counts as active; one that can signals it itself.
  if (!isSignalCapable) owner.lifecycle.signal({ type: "valid", activity: "active" });
}

function workspaceEnd({ coderWorkspace }: TriageRunFacts, summary: IssueSummary): LifecycleEvent[] {
  const { state, id } = coderWorkspace;
  if (summary.workspace?.keptUntil != null) return [{ type: "workspace-kept" }];
  if (summary.workspace?.destroyed === false)
    return [{ type: "workspace-stranded", id: summary.workspace.id }];
  if (state === "deleting") return [{ type: "workspace-deleted" }];
  if (state !== "creating" || id !== null) return [];
  // The response to the create was lost, and it is unknown whether it took effect.
  const isUnknown = summary.error?.code === ("WORKSPACE_STRANDED" satisfies WorkspaceErrorCode);
  return [isUnknown ? { type: "workspace-stranded", id: null } : { type: "workspace-refused" }];
}

function resultOf({ category, commentUrl, usage, policy, evidence, workspace }: IssueSummary): ResultFacts {
  const until = workspace?.keptUntil ?? null;
  const kept = until === null ? {} : { keptUntilMs: Date.parse(until) };
  return { category, commentUrl, usage, policy, evidence, ...kept };
}

/** The policy code of a sweep's verdict. */
const VERDICT = /^verdict-/;

/**
 * Returns the end of a Triage Run from the summary of its issue. A sweep proposes no state role, so its outcome is its verdict.
 */
function endOf({ status, reason, outcome: state, policy, error }: IssueSummary): TriageRunEnd {
  const outcome = state ?? policy.find((code) => VERDICT.test(code))?.replace(VERDICT, "") ?? null;
  switch (status) {
    case "applied":
      return { status, reason, outcome: outcome ?? "none" };
    case "skipped":
    case "locked":
      return { status, reason };
    case "requeued":
      return { status, reason, outcome };
    case "failed":
      return {
        status,
        reason,
        outcome,
        error: error ?? { code: "RUN_INTERNAL_ERROR", message: reason, remedy: "" },
      };
    default:
      return status satisfies never;
  }
}
