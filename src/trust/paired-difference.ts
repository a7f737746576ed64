import { type Interval, wilsonInterval } from "./wilson.ts";

/** How often each of two methods was right on the same cases. */
export interface PairedCounts {
  both: number;
  onlyFirst: number;
  onlySecond: number;
  neither: number;
}

/**
 * The difference of two paired proportions, first minus second, with its interval at 95 %; each from -1 to 1.
 * R. G. Newcombe, "Improved confidence intervals for the difference between binomial proportions based on paired data", Statistics
 * in Medicine 17 (1998), method 10.
 *
 * @example
 * pairedDifference({ both: 1, onlyFirst: 2, onlySecond: 0, neither: 1 }).difference // => 0.5
 */
export function pairedDifference({
  both,
  onlyFirst,
  onlySecond,
  neither,
}: PairedCounts): Interval & { difference: number } {
  const total = both + onlyFirst + onlySecond + neither;
  if (total === 0) return { difference: 0, lower: -1, upper: 1 };
  const [first, second] = [(both + onlyFirst) / total, (both + onlySecond) / total];
  const [one, other] = [wilsonInterval(both + onlyFirst, total), wilsonInterval(both + onlySecond, total)];
  const product = (both + onlyFirst) * (onlySecond + neither) * (both + onlySecond) * (onlyFirst + neither);
  const covariance = both * neither - onlyFirst * onlySecond;
  // The continuity correction of the method, which reduces a positive correlation.
  const corrected = covariance > 0 ? Math.max(0, covariance - total / 2) : covariance;
  const phi = product === 0 ? 0 : corrected / Math.sqrt(product);
  const spread = (a: number, b: number): number => Math.sqrt(Math.max(0, a ** 2 - 2 * phi * a * b + b ** 2));
  const difference = first - second;
  return {
    difference,
    lower: difference - spread(first - one.lower, other.upper - second),
    upper: difference + spread(one.upper - first, second - other.lower),
  };
}
