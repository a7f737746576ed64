/** L2: what a terminal's silence and its process's end say of the program in it. */
export type AgentHandleState =
  | { type: "starting" }
  | { type: "running" }
  | { type: "needs-input"; sinceMs: number }
  | { type: "stale"; sinceMs: number }
  /** L7: 0 is completed, anything else errored. */
  | { type: "exited"; code: number };

/** What a handle has seen of its terminal. Times are the caller's milliseconds. */
export interface AgentHandleFacts {
  startedAtMs: number;
  /** null: nothing was ever printed. */
  lastOutputAtMs: number | null;
  /** Since when output has come without a silence in between. */
  runningSinceMs: number | null;
  exit: { code: number; atMs: number } | null;
}

export type AgentHandleEvent =
  | { type: "output"; atMs: number }
  | { type: "exited"; code: number; atMs: number }
  /** L11: only from Exited; at any other time it is a defect of the caller. */
  | { type: "restarted"; atMs: number };

export interface SilenceTimings {
  /** L4: N */
  needsInputAfterMs: number;
  /** L6: M, counted from the moment input was needed. */
  staleAfterMs: number;
}

export const SILENCE_DEFAULTS: SilenceTimings = { needsInputAfterMs: 5_000, staleAfterMs: 60_000 };

export function newAgentHandle(startedAtMs: number): AgentHandleFacts {
  return { startedAtMs, lastOutputAtMs: null, runningSinceMs: null, exit: null };
}

export function transitionAgentHandle(
  facts: AgentHandleFacts,
  event: AgentHandleEvent,
  timings: SilenceTimings = SILENCE_DEFAULTS,
): AgentHandleFacts {
  if (event.type === "restarted") {
    if (facts.exit === null) throw new Error("an AgentHandle restarts only once its program has exited");
    return newAgentHandle(event.atMs);
  }
  if (facts.exit !== null) return facts;
  if (event.type === "exited") return { ...facts, exit: { code: event.code, atMs: event.atMs } };
  const isRunning = agentHandleState(facts, event.atMs, timings).type === "running";
  const runningSinceMs = isRunning ? facts.runningSinceMs : event.atMs;
  return { ...facts, lastOutputAtMs: event.atMs, runningSinceMs };
}

/** L3–L7. How often it is asked changes no answer; a limit is passed only after it, never at it. */
export function agentHandleState(
  facts: AgentHandleFacts,
  nowMs: number,
  timings: SilenceTimings = SILENCE_DEFAULTS,
): AgentHandleState {
  if (facts.exit !== null) return { type: "exited", code: facts.exit.code };
  const { needsInputAtMs, staleAtMs } = limits(facts, timings);
  if (nowMs > staleAtMs) return { type: "stale", sinceMs: staleAtMs };
  if (nowMs > needsInputAtMs) return { type: "needs-input", sinceMs: needsInputAtMs };
  return facts.lastOutputAtMs === null ? { type: "starting" } : { type: "running" };
}

/** L1: since when the state is what it is. */
export function agentHandleChangedAtMs(
  facts: AgentHandleFacts,
  nowMs: number,
  timings: SilenceTimings = SILENCE_DEFAULTS,
): number {
  const state = agentHandleState(facts, nowMs, timings);
  switch (state.type) {
    case "starting":
      return facts.startedAtMs;
    case "running":
      return facts.runningSinceMs ?? facts.startedAtMs;
    case "needs-input":
    case "stale":
      return state.sinceMs;
    case "exited":
      return facts.exit?.atMs ?? facts.startedAtMs;
    default:
      return state satisfies never;
  }
}

/** The limit that silence passes next; null when there is none left. */
export function nextSilenceLimitMs(
  facts: AgentHandleFacts,
  nowMs: number,
  timings: SilenceTimings = SILENCE_DEFAULTS,
): number | null {
  if (facts.exit !== null) return null;
  const { needsInputAtMs, staleAtMs } = limits(facts, timings);
  return [needsInputAtMs, staleAtMs].find((limitMs) => limitMs >= nowMs) ?? null;
}

function limits(
  { startedAtMs, lastOutputAtMs }: AgentHandleFacts,
  { needsInputAfterMs, staleAfterMs }: SilenceTimings,
): { needsInputAtMs: number; staleAtMs: number } {
  const needsInputAtMs = (lastOutputAtMs ?? startedAtMs) + needsInputAfterMs;
  return { needsInputAtMs, staleAtMs: needsInputAtMs + staleAfterMs };
}
