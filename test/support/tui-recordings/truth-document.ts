import type { Transition } from "./label-moments.ts";
import { isOneOf } from "./score-cells.ts";
import { READY_LABELS, type Truth } from "./truth.ts";

/** The fields of its recording's header that a truth file repeats. */
export type RecordedAs = Pick<Truth, "recording" | "tool" | "scenario">;

/**
 * The time around a transition is not scored, because the screen changes later, and a key is typed a little before it is read.
 */
const BEFORE_MS = 150;
const AFTER_MS = 400;

/** Returns the truth file of a recording. */
export function truthDocument(header: RecordedAs, transitions: readonly Transition[], endMs: number): Truth {
  return {
    ...header,
    duration_ms: endMs,
    guard_ms: { before: BEFORE_MS, after: AFTER_MS },
    intervals: transitions.flatMap((transition, index) =>
      intervalsOf(transition, transitions[index + 1]?.t_ms ?? null, endMs),
    ),
    transitions: transitions.map(({ ends: _ends, ...rest }) => rest),
    turn_ends: transitions.flatMap(({ t_ms, ends, basis }) =>
      ends === undefined ? [] : [{ t_ms, basis, result: ends.result, intermediate: ends.intermediate }],
    ),
  };
}

function intervalsOf(
  { t_ms, to, draft, result, guard = AFTER_MS }: Transition,
  nextMs: number | null,
  endMs: number,
): Truth["intervals"] {
  const t0 = t_ms + guard;
  const t1 = nextMs === null ? endMs : nextMs - BEFORE_MS;
  if (to === "exiting" || t1 <= t0) return [];
  const base = { t0, t1, label: to, draft };
  if (isOneOf(READY_LABELS, to)) return [{ ...base, last_result: result }];
  return [{ ...base, allowed_last_result: [...new Set(["none" as const, result])] }];
}
