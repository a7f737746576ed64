/** The state of a program in a terminal, one of five (L2), derived from its output and its exit. Times are epoch milliseconds. */
export type AgentHandleState =
  | { type: "starting" }
  | { type: "running" }
  | { type: "needs-input"; sinceMs: number }
  | { type: "stale"; sinceMs: number }
  /** The program has ended: code 0 means completed, any other code means failed (L7). */
  | { type: "exited"; code: number };

/** The observations that the state is derived from. Nothing else is stored. */
export interface AgentHandleFacts {
  startedAtMs: number;
  /** null: the program has printed nothing yet. */
  lastOutputAtMs: number | null;
  /** The exit code; null while the program runs. */
  exitCode: number | null;
}

/** The silence, in milliseconds, after which a running program changes state. */
export interface SilenceTimings {
  /** The silence, from the last output or from the start, after which the program needs input (L4). */
  needsInputAfterMs: number;
  /** The time in needs-input after which the program is stale (L6). */
  staleAfterMs: number;
}

export const SILENCE_DEFAULTS: SilenceTimings = { needsInputAfterMs: 5_000, staleAfterMs: 60_000 };

/**
 * Returns the state at `nowMs`, from output, silence and exit (L3–L7). A limit is exceeded only when `nowMs` is strictly later.
 */
export function agentHandleState(
  { startedAtMs, lastOutputAtMs, exitCode }: AgentHandleFacts,
  nowMs: number,
  timings: SilenceTimings = SILENCE_DEFAULTS,
): AgentHandleState {
  if (exitCode !== null) return { type: "exited", code: exitCode };
  const needsInputAtMs = (lastOutputAtMs ?? startedAtMs) + timings.needsInputAfterMs;
  if (nowMs > needsInputAtMs) return waitingState(needsInputAtMs, nowMs, timings);
  return lastOutputAtMs === null ? { type: "starting" } : { type: "running" };
}

/** Returns the state of a program that has waited for input since `sinceMs`: needs-input, then stale (L6). */
export function waitingState(
  sinceMs: number,
  nowMs: number,
  { staleAfterMs }: SilenceTimings = SILENCE_DEFAULTS,
): AgentHandleState {
  const staleAtMs = sinceMs + staleAfterMs;
  return nowMs > staleAtMs ? { type: "stale", sinceMs: staleAtMs } : { type: "needs-input", sinceMs };
}
