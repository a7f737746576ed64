import type { Prediction } from "./prediction.ts";
import type { Result, Truth } from "./truth.ts";

/** A pause between two Turns that is shorter than this is too short for an end to be detected. */
const MIN_PAUSE_MS = 1_000;
const BUSY: ReadonlySet<string> = new Set(["active", "exited", "exiting", "tui_down"]);

/** How the tracker reported the end of one Turn. */
export interface ScoredEnd {
  recording: string;
  result: Exclude<Result, "none">;
  endMs: number;
  /** The time from the true end to phase ready with this result; null if it was never reported before the next Turn. */
  latencyMs: number | null;
}

export function scoreTurnEnds(truth: Truth, predictions: readonly Prediction[]): ScoredEnd[] {
  const sorted = predictions.toSorted((left, right) => left.t_ms - right.t_ms);
  return truth.turn_ends.flatMap(({ t_ms: endMs, result, intermediate, soft }) => {
    if (intermediate === true || soft === true || !isResult(result)) return [];
    const nextMs =
      truth.transitions.find(({ t_ms, to }) => t_ms > endMs && BUSY.has(to ?? ""))?.t_ms ?? truth.duration_ms;
    if (nextMs - endMs < MIN_PAUSE_MS) return [];
    const hit = sorted.find(
      ({ t_ms, phase, last_result }) =>
        t_ms >= endMs && t_ms < nextMs && phase === "ready" && last_result === result,
    );
    const latencyMs = hit === undefined ? null : Math.round(hit.t_ms - endMs);
    return [{ recording: truth.recording, result, endMs, latencyMs }];
  });
}

function isResult(result: string): result is ScoredEnd["result"] {
  return result === "success" || result === "interrupted" || result === "known_failure";
}
