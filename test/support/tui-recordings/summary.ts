import { isOneOf, type Fault, type ScoredCell } from "./score-cells.ts";
import { READY_LABELS } from "./truth.ts";
import type { ScoredEnd } from "./turn-ends.ts";

/**
 * The figures that the thresholds apply to; null if there was nothing to compare. Shares are between 0 and 1, times in
 * milliseconds.
 */
export interface TrackingSummary {
  falseReady: number | null;
  phaseAccuracy: number | null;
  lastResultAccuracy: number | null;
  successLatencyMs: { p50: number | null; p95: number | null };
}

export function summarise(cells: readonly ScoredCell[], ends: readonly ScoredEnd[]): TrackingSummary {
  const ready = cells.filter(({ label }) => isOneOf(READY_LABELS, label));
  const latencies = ends.flatMap(({ result, latencyMs }) =>
    result === "success" && latencyMs !== null ? [latencyMs] : [],
  );
  return {
    falseReady: cells.length === 0 ? null : count(cells, "false-ready"),
    phaseAccuracy: shareWithout(cells, "phase"),
    lastResultAccuracy: shareWithout(ready, "last-result"),
    successLatencyMs: { p50: quantile(latencies, 0.5), p95: quantile(latencies, 0.95) },
  };
}

/** Checks the tracker's thresholds; returns one line for each that it misses. */
export function missedThresholds(
  cells: readonly ScoredCell[],
  { falseReady, phaseAccuracy, lastResultAccuracy, successLatencyMs }: TrackingSummary,
): string[] {
  const dialogs = cells.filter(({ faults }) => faults.some((fault) => fault.startsWith("dialog-"))).length;
  return [
    ...(falseReady !== null && falseReady > 0
      ? [`ready or success while active: ${falseReady} cells, not 0`]
      : []),
    ...(dialogs > 0 ? [`dialogs or menus taken for a prompt: ${dialogs} cells, not 0`] : []),
    ...below("phase", phaseAccuracy),
    ...below("last result", lastResultAccuracy),
    ...(successLatencyMs.p95 !== null && successLatencyMs.p95 > 1_500
      ? [`success seen after ${successLatencyMs.p95} ms (p95), not within 1500`]
      : []),
  ];
}

export function count(cells: readonly ScoredCell[], fault: Fault): number {
  return cells.filter(({ faults }) => faults.includes(fault)).length;
}

/** Returns the smallest value that at least this share of all values do not exceed; null if there are no values. */
export function quantile(values: readonly number[], share: number): number | null {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.min(sorted.length, Math.ceil(share * sorted.length)) - 1] ?? null;
}

function shareWithout(cells: readonly ScoredCell[], fault: Fault): number | null {
  return cells.length === 0 ? null : (cells.length - count(cells, fault)) / cells.length;
}

function below(what: string, share: number | null): string[] {
  return share === null || share >= 0.99 ? [] : [`${what} right in ${(share * 100).toFixed(2)} %, not 99`];
}
