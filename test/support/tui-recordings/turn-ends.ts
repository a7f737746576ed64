import type { Prediction } from "./prediction.ts";
import type { Result, Truth } from "./truth.ts";

/** A shorter pause between two Turns is too short for an end to be seen. */
const MIN_PAUSE_MS = 1_000;
const BUSY: ReadonlySet<string> = new Set(["active", "exited", "exiting", "tui_down"]);

/** How one Turn's end was seen. */
export interface ScoredEnd {
  recording: string;
  result: Exclude<Result, "none">;
  endMs: number;
  /** From the true end to phase ready with this result; null: never seen before the next Turn. */
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
