/** Both bounds from 0 to 1. */
export interface Interval {
  lower: number;
  upper: number;
}

/** Two-sided 95 %. */
const Z = 1.959_963_984_540_054;

/**
 * The score interval of a proportion at 95 %. Everything from 0 to 1 is possible while there are no trials.
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
  // The bounds at the edges are exactly 0 and 1; arithmetic would miss them by a rounding error.
  return {
    lower: successes === 0 ? 0 : (centre - spread) / (1 + square),
    upper: successes === trials ? 1 : (centre + spread) / (1 + square),
  };
}
