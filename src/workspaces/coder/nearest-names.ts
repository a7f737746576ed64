import { distance } from "fastest-levenshtein";

const MAX_LENGTH = 64;

/** The (at most three) candidates that take the fewest edits to reach, for a message about a misspelt name. */
export function nearestNames(name: string, candidates: readonly string[]): string[] {
  // Bounded: names come from a server.
  const edits = (candidate: string): number =>
    distance(name.slice(0, MAX_LENGTH), candidate.slice(0, MAX_LENGTH));
  return candidates.toSorted((a, b) => edits(a) - edits(b) || a.localeCompare(b)).slice(0, 3);
}
