import type { Prediction } from "./prediction.ts";
import {
  DIALOG_LABELS,
  DOWN_LABELS,
  type Label,
  READY_LABELS,
  type Truth,
  type TruthInterval,
} from "./truth.ts";

/** Truth and prediction are compared at every multiple of this inside a labelled interval. */
const STEP_MS = 250;

/** One comparison. */
export interface ScoredCell {
  recording: string;
  atMs: number;
  label: Label;
  draft: boolean;
  /** The latest prediction up to this time; null if there was none. */
  seen: Prediction | null;
  /** The faults of the prediction; empty if it is right. */
  faults: readonly Fault[];
}

export type Fault =
  | "phase"
  /** Phase ready, a ready posture, or a false success, while the Turn still runs. */
  | "false-ready"
  /** A dialog or menu reported as a prompt: phase ready or a ready posture. */
  | "dialog-ready"
  /** A dialog or menu reported as accepting a prompt. */
  | "dialog-accepting"
  | "last-result"
  | "draft-missed"
  | "draft-false"
  /** A TUI that is gone reported as active and available. */
  | "down-active";

export function scoreCells(truth: Truth, predictions: readonly Prediction[]): ScoredCell[] {
  const sorted = predictions.toSorted((left, right) => left.t_ms - right.t_ms);
  return truth.intervals.flatMap((interval) =>
    gridOf(interval).map((atMs) => {
      const seen = atMs <= truth.duration_ms ? inForce(sorted, atMs) : null;
      const { label, draft } = interval;
      return { recording: truth.recording, atMs, label, draft, seen, faults: faultsOf(interval, seen) };
    }),
  );
}

export function isOneOf<T extends string>(labels: readonly T[], label: string): label is T {
  return (labels as readonly string[]).includes(label);
}

function gridOf({ t0, t1 }: TruthInterval): number[] {
  const first = Math.ceil(t0 / STEP_MS);
  return Array.from(
    { length: Math.max(0, Math.floor(t1 / STEP_MS) - first + 1) },
    (_, k) => (first + k) * STEP_MS,
  );
}

function inForce(sorted: readonly Prediction[], atMs: number): Prediction | null {
  return sorted.findLast(({ t_ms }) => t_ms <= atMs) ?? null;
}

export function faultsOf(interval: TruthInterval, seen: Prediction | null): Fault[] {
  const phase = seen?.phase ?? "unknown";
  if (isOneOf(READY_LABELS, interval.label))
    return [...(phase === "ready" ? [] : (["phase"] as const)), ...readyFaults(interval, seen)];
  if (interval.label === "active") {
    const isFalse = seen !== null && isFalseReady(interval, seen);
    return [
      ...(phase === "active" ? [] : (["phase"] as const)),
      ...(isFalse ? (["false-ready"] as const) : []),
    ];
  }
  return seen === null ? [] : otherFaults(interval.label, seen);
}

function readyFaults(interval: TruthInterval, seen: Prediction | null): Fault[] {
  const result = seen?.last_result ?? "none";
  const faults: Fault[] = [];
  if (result !== interval.last_result && interval.accept_last_result?.includes(result) !== true)
    faults.push("last-result");
  if (seen === null) return faults;
  const isEditing = interval.label === "editing";
  if (isEditing && seen.editing_input !== "yes") faults.push("draft-missed");
  if (!isEditing && seen.editing_input === "yes") faults.push("draft-false");
  return faults;
}

function isFalseReady(interval: TruthInterval, seen: Prediction): boolean {
  const isWrongSuccess =
    seen.last_result === "success" && interval.allowed_last_result?.includes("success") !== true;
  return seen.phase === "ready" || seen.ready_posture === "yes" || isWrongSuccess;
}

function otherFaults(label: Label, seen: Prediction): Fault[] {
  const faults: Fault[] = [];
  const isDown = isOneOf(DOWN_LABELS, label);
  if (seen.phase === "ready" && !(isDown && saysDown(seen))) faults.push("phase");
  if (isDown && seen.phase === "active" && seen.availability === "available") faults.push("down-active");
  if (!isOneOf(DIALOG_LABELS, label)) return faults;
  if (seen.phase === "ready" || seen.ready_posture === "yes") faults.push("dialog-ready");
  if (seen.accepting_input === "yes") faults.push("dialog-accepting");
  return faults;
}

function saysDown({ availability }: Prediction): boolean {
  return availability === "tui_down" || availability === "unavailable";
}
