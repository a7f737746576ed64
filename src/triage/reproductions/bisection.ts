/**
 * The search for the first bad commit, as pure steps over a straight line of commits, the newest (index 0, known bad)
 * first. Good commits are first looked for at doubling distances, then the middle of what is left is asked for.
 */
export interface Bisection {
  /** How many commits the line has. */
  readonly length: number;
  /** The oldest commit known bad. */
  readonly bad: number;
  /** The newest commit known good; null: none was found yet. */
  readonly good: number | null;
  /** Commits that could not be judged (they do not build, say). */
  readonly untestable: ReadonlySet<number>;
}

export type BisectionStep =
  | { type: "test"; index: number }
  /** `untestable` commits between it and the good one may be it as well. */
  | { type: "found"; index: number; isExact: boolean }
  /** Every commit of the line that could be judged is bad. */
  | { type: "always-bad" };

export type CommitVerdict = "good" | "bad" | "untestable";

export function startBisection(length: number): Bisection {
  if (length < 1) throw new Error("a bisection needs at least the commit that is known bad");
  return { length, bad: 0, good: null, untestable: new Set() };
}

export function nextStep(bisection: Bisection): BisectionStep {
  const { bad, good, length, untestable } = bisection;
  const candidates = testable(bisection);
  if (candidates.length === 0) {
    if (good === null) return { type: "always-bad" };
    return { type: "found", index: bad, isExact: good === bad + 1 || !hasBetween(untestable, bad, good) };
  }
  // Distance 1, 2, 4 … beyond the known bad one; then the oldest there is.
  const wanted = good === null ? Math.min(bad === 0 ? 1 : bad * 2, length - 1) : Math.floor((bad + good) / 2);
  return { type: "test", index: nearest(candidates, wanted) };
}

export function judged(bisection: Bisection, index: number, verdict: CommitVerdict): Bisection {
  switch (verdict) {
    case "bad":
      return { ...bisection, bad: Math.max(bisection.bad, index) };
    case "good":
      return { ...bisection, good: Math.min(bisection.good ?? index, index) };
    case "untestable":
      return { ...bisection, untestable: new Set([...bisection.untestable, index]) };
  }
}

/** Older than the known bad, newer than the known good, and not known to be untestable. */
function testable({ bad, good, length, untestable }: Bisection): number[] {
  const end = good ?? length;
  return Array.from({ length: Math.max(0, end - bad - 1) }, (_, offset) => bad + 1 + offset).filter(
    (index) => !untestable.has(index),
  );
}

function nearest(candidates: readonly number[], wanted: number): number {
  return candidates.reduce((best, one) => (Math.abs(one - wanted) < Math.abs(best - wanted) ? one : best));
}

function hasBetween(indices: ReadonlySet<number>, bad: number, good: number): boolean {
  return [...indices].some((index) => index > bad && index < good);
}
