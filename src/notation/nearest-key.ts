import { closest, distance } from "fastest-levenshtein";

/** The candidate with the smallest edit distance, when it is near enough to be a slip of the hand. */
export function nearestKey(typed: string, candidates: readonly string[]): string | null {
  if (candidates.length === 0) return null;
  const best = closest(typed, candidates);
  return distance(typed, best) <= Math.max(2, Math.floor(typed.length / 3)) ? best : null;
}
