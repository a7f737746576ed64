import type { Clock } from "agent-tty/kit";
import type { ActivityState } from "../activity.ts";
import { deriveDisplayStatus, type DisplayStatus } from "../display-status.ts";
import type { RunPhase, TriageRunEnd } from "../phase.ts";
import type { RunState } from "../run-state.ts";
import { type TriageRunFacts, triageRunKey } from "../triage-run-facts.ts";

/** The status line of the active prompt. It is derived, never stored, and decides nothing. */
export const surfaces = [
  "no active prompt",
  "working",
  "no output for a while, still alive",
  "blocked: it waits for an answer",
  "reply sent, backend still active",
] as const;
export type Surface = (typeof surfaces)[number];

/** One Triage Run as channels render it (C7). */
export interface RunView {
  /** `owner/repo#n` */
  key: string;
  runId: string;
  phase: RunPhase;
  runState: RunState;
  activity: ActivityState;
  displayStatus: DisplayStatus;
  surface: Surface;
  sessionId: string | null;
  /** null until the run is settled. */
  end: TriageRunEnd | null;
}

/** Returns the view of a run at the clock's current time. */
export function viewRun(facts: TriageRunFacts, clock: Clock): RunView {
  const { progress } = facts;
  return {
    key: triageRunKey(facts),
    runId: facts.runId,
    phase: progress.phase,
    runState: facts.runState.state,
    activity: facts.activity.state,
    displayStatus: deriveDisplayStatus(facts, facts.pullRequests, clock.nowMs()),
    surface: deriveSurface(facts),
    sessionId: facts.sessionId,
    end: progress.phase === "settled" ? progress.end : null,
  };
}

/** Returns the surface of the active prompt. A final report (C16) takes precedence over a runner verdict (C5). */
export function deriveSurface({
  runState,
  runnerVerdict,
}: Pick<TriageRunFacts, "runState" | "runnerVerdict">): Surface {
  if (runState.state === "idle") return "no active prompt";
  if (runState.finalReportAtMs !== null) return "reply sent, backend still active";
  if (runnerVerdict === "blocked") return "blocked: it waits for an answer";
  return runnerVerdict === "silent-but-alive" ? "no output for a while, still alive" : "working";
}
