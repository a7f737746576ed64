/** An interval of proportions; both bounds are from 0 to 1. */
export interface Interval {
  lower: number;
  upper: number;
}

/** The normal quantile for a two-sided interval of 95 %. */
const Z = 1.959_963_984_540_054;

/**
 * Returns the 95 % score interval of a proportion, which is 0 to 1 if there are no trials.
 * E. B. Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22 (1927).
 *
 * @example
 * wilsonInterval(73, 73).lower >= 0.95 // => true
 */
export function wilsonInterval(successes: number, trials: number): Interval {
  if (trials === 0) return { lower: 0, upper: 1 };
  const rate = successes / trials;
  const square = Z ** 2 / trials;
  const centre = rate + square / 2;
  const spread = Z * Math.sqrt((rate * (1 - rate)) / trials + square / (4 * trials));
  // The outer bounds are exactly 0 and 1; floating-point arithmetic would return them with a rounding error.
  return {
    lower: successes === 0 ? 0 : (centre - spread) / (1 + square),
    upper: successes === trials ? 1 : (centre + spread) / (1 + square),
  };
}

/**
 * The same interval with continuity correction. It is wider and covers the true value in at least 95 % of cases, whereas the
 * plain interval does so only on average. R. G. Newcombe, "Two-sided confidence intervals for the single proportion", Statistics
 * in Medicine 17 (1998), method 4.
 */
export function correctedWilsonInterval(successes: number, trials: number): Interval {
  if (trials === 0) return { lower: 0, upper: 1 };
  const rate = successes / trials;
  const missed = trials - successes;
  const double = 2 * successes + Z ** 2;
  const below = Z * Math.sqrt(Z ** 2 - 2 - 1 / trials + 4 * rate * (missed + 1));
  const above = Z * Math.sqrt(Z ** 2 + 2 - 1 / trials + 4 * rate * (missed - 1));
  const scale = 2 * (trials + Z ** 2);
  return {
    lower: successes === 0 ? 0 : Math.max(0, (double - 1 - below) / scale),
    upper: missed === 0 ? 1 : Math.min(1, (double + 1 + above) / scale),
  };
}
