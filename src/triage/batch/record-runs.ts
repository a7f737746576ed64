import type { Clock } from "agent-tty/kit";
import { issueKey } from "../../github/index.ts";
import {
  runPhases,
  selectedTriageRun,
  transition,
  type TriageRunEnd,
  type TriageRunEvent,
  type TriageRunFacts,
} from "../../runs/index.ts";
import type { Store } from "../../store/index.ts";
import type { BatchEvent, BatchObserver, WatchedPhase } from "./batch-event.ts";
import type { IssueSummary } from "./summary.ts";

/** Turns what a batch reports into the facts of its Triage Runs and stores them, one write a change (O21). */
export function createRecorder(store: Store, clock: Clock): BatchObserver {
  const runs = new Map<string, TriageRunFacts>();
  let runId = "";
  return (event) => {
    if (event.type === "batch-started") runId = event.runId;
    const key = keyOf(event);
    if (key === null) return;
    const [repo = "", number = ""] = key.split("#");
    const atMs = clock.nowMs();
    const before = runs.get(key) ?? selectedTriageRun({ runId, repo, number: Number(number), atMs });
    const after = advance(before, event, atMs);
    runs.set(key, after);
    if (after !== before) store.saveRun(after);
  };
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

/** The facts after one event; pure. */
function advance(facts: TriageRunFacts, event: BatchEvent, atMs: number): TriageRunFacts {
  switch (event.type) {
    case "phase":
      return enter(facts, event.phase, event.detail, atMs);
    case "workspace-created":
      return transition(facts, { type: "workspace-created", id: event.id });
    case "session-opened":
      return transition(facts, { type: "session-opened", sessionId: event.sessionId });
    case "issue-finished":
      return settle(facts, event.summary, atMs);
    default:
      return facts;
  }
}

/** A phase is reported again for every detail of it; only entering it is an event. */
function enter(
  facts: TriageRunFacts,
  phase: WatchedPhase,
  detail: string | null,
  atMs: number,
): TriageRunFacts {
  if (runPhases.indexOf(phase) <= runPhases.indexOf(facts.progress.phase)) return facts;
  const entered = transition(facts, { type: "phase-entered", phase, atMs });
  return consequences(phase, detail, entered, atMs).reduce(transition, entered);
}

function consequences(
  phase: WatchedPhase,
  detail: string | null,
  facts: TriageRunFacts,
  atMs: number,
): TriageRunEvent[] {
  const promptSettled: TriageRunEvent[] =
    facts.runState.state === "idle" ? [] : [{ type: "prompt-settled", evidence: "turn-outcome" }];
  switch (phase) {
    case "creating":
      return [{ type: "workspace-requested", name: detail ?? "" }];
    case "preparing":
      return [{ type: "workspace-ready" }];
    case "triaging":
      return [
        { type: "spawn-completed", isSignalCapable: false, atMs },
        { type: "prompt-admitted", atMs },
        { type: "activity-signalled", activity: "active", atMs },
      ];
    case "verifying":
    case "applying":
      return promptSettled;
    case "destroying":
      return [...promptSettled, { type: "workspace-deleting" }];
  }
}

function settle(facts: TriageRunFacts, summary: IssueSummary, atMs: number): TriageRunFacts {
  const { state, id } = facts.coderWorkspace;
  const workspace: TriageRunEvent[] =
    summary.workspace?.destroyed === false
      ? [{ type: "workspace-stranded", id: summary.workspace.id }]
      : state === "deleting"
        ? [{ type: "workspace-deleted" }]
        : state === "creating" && id === null
          ? [{ type: "workspace-refused" }]
          : [];
  return [...workspace, { type: "run-settled", end: endOf(summary), atMs } as const].reduce<TriageRunFacts>(
    transition,
    facts,
  );
}

function endOf({ status, reason, outcome, error }: IssueSummary): TriageRunEnd {
  switch (status) {
    case "applied":
      return { status, reason, outcome: outcome ?? "none" };
    case "skipped":
    case "locked":
      return { status, reason };
    case "requeued":
      return { status, reason, outcome };
    case "failed":
      return { status, reason, outcome, error: error ?? { code: "UNKNOWN", message: reason, remedy: "" } };
  }
}
