import { isDeepStrictEqual } from "node:util";

/** `asserted`: the case must pass, and a difference fails the run. `observed`: information only. */
export type Gate = "asserted" | "observed";

export interface CaseReport {
  id: string;
  gate: Gate;
  verdict: Verdict;
}

export type Verdict =
  | { type: "passed" }
  | { type: "differs"; expected: unknown; seen: unknown }
  /** The project's own contract differs from the case, and the project follows its contract. */
  | { type: "documented"; expected: unknown; seen: unknown; reason: string }
  | { type: "not-expressible"; reason: string }
  | { type: "not-covered"; reason: string };

export function compare(id: string, expected: unknown, seen: unknown): CaseReport {
  const isSame = isDeepStrictEqual(expected, seen);
  return asserted(id, isSame ? { type: "passed" } : { type: "differs", expected, seen });
}

/** Compares a case from which our contract differs: `ours` is the required value, and any other value is a difference. */
export function compareDocumented(
  id: string,
  { expected, ours, seen, reason }: { expected: unknown; ours: unknown; seen: unknown; reason: string },
): CaseReport {
  const isOurs = isDeepStrictEqual(ours, seen);
  return asserted(
    id,
    isOurs ? { type: "documented", expected, seen, reason } : { type: "differs", expected: ours, seen },
  );
}

export function notExpressible(id: string, reason: string): CaseReport {
  return asserted(id, { type: "not-expressible", reason });
}

export function notCovered(id: string, reason: string): CaseReport {
  return asserted(id, { type: "not-covered", reason });
}

/** Returns the same report as information only. */
export function observed(report: CaseReport): CaseReport {
  return { ...report, gate: "observed" };
}

/** Returns one report for each part of a file that no case covers, so that nothing is skipped silently. */
export function notCoveredSections(
  content: object,
  covered: readonly string[],
  reason: string,
): readonly CaseReport[] {
  return Object.keys(content)
    .filter((section) => !covered.includes(section) && section !== "source")
    .map((section) => notCovered(section, reason));
}

/** Returns the fields of `seen` that `expected` names. */
export function pickLike(expected: object, seen: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.keys(expected).map((key) => [key, (seen as Record<string, unknown>)[key]]),
  );
}

function asserted(id: string, verdict: Verdict): CaseReport {
  return { id, gate: "asserted", verdict };
}
