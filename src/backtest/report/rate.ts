import { correctedWilsonInterval } from "../../trust/index.ts";

/** A proportion with its Wilson interval at 95 %, continuity corrected; `rate` is null while there is nothing to count. */
export interface Rate {
  hits: number;
  of: number;
  rate: number | null;
  lower: number;
  upper: number;
}

/**
 * `hits` of `of` as a rate with a 95% Wilson interval with continuity correction; the rate is null for no trials.
 */
export function rateOf(hits: number, of: number): Rate {
  return { hits, of, rate: of === 0 ? null : hits / of, ...correctedWilsonInterval(hits, of) };
}

/** Such as `0.87 [0.79, 0.92] of 103`. */
export function sayRate({ rate, lower, upper, of }: Rate): string {
  return rate === null
    ? "nothing to compare"
    : `${rate.toFixed(2)} [${lower.toFixed(2)}, ${upper.toFixed(2)}] of ${of}`;
}
