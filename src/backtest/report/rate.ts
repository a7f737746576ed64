import { correctedWilsonInterval } from "../../trust/index.ts";

/** A proportion with its 95 % Wilson interval with continuity correction; `rate` is null if there are no trials. */
export interface Rate {
  hits: number;
  of: number;
  rate: number | null;
  lower: number;
  upper: number;
}

/**
 * Returns `hits` of `of` as a rate with its 95 % Wilson interval with continuity correction. The rate is null if there are no
 * trials.
 */
export function rateOf(hits: number, of: number): Rate {
  return { hits, of, rate: of === 0 ? null : hits / of, ...correctedWilsonInterval(hits, of) };
}

/** Returns a rate for people, such as `0.87 [0.79, 0.92] of 103`. */
export function sayRate({ rate, lower, upper, of }: Rate): string {
  return rate === null
    ? "nothing to compare"
    : `${rate.toFixed(2)} [${lower.toFixed(2)}, ${upper.toFixed(2)}] of ${of}`;
}
