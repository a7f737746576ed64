import { closest, distance } from "fastest-levenshtein";

/**
 * Finds the candidate with the smallest edit distance, if it is close enough for a typing error; else null.
 * @example
 * nearestKey("parralelism", ["parallelism", "provider"]) // => "parallelism"
 * nearestKey("x", ["parallelism"]) // => null
 */
export function nearestKey(typed: string, candidates: readonly string[]): string | null {
  if (candidates.length === 0) return null;
  const best = closest(typed, candidates);
  return distance(typed, best) <= Math.max(2, Math.floor(typed.length / 3)) ? best : null;
}
