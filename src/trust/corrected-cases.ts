import { factsOfType, type TrustFact } from "./trust-fact.ts";

/** An outcome of ours that a maintainer corrected, with the right outcome. */
export interface CorrectedCase {
  number: number;
  /** When we decided, in epoch milliseconds: a replay reads the issue as it was then. */
  atMs: number;
  truth: "worked-on" | "asked" | "declined";
}

const TRUTH: Readonly<Record<string, CorrectedCase["truth"]>> = {
  "ready-for-agent": "worked-on",
  "ready-for-human": "worked-on",
  "needs-info": "asked",
  wontfix: "declined",
};

/**
 * E7: returns the newest correction of each issue that says what the right outcome is. Pure. An override without a state role is
 * not such a correction.
 */
export function correctedCases(facts: readonly TrustFact[]): CorrectedCase[] {
  const decided = new Map(
    factsOfType(facts, "decided").map((fact) => [`${fact.number} ${fact.runId}`, fact]),
  );
  const cases = new Map<number, CorrectedCase>();
  for (const { number, runId, detail } of factsOfType(facts, "overridden")) {
    const truth = TRUTH[detail.to ?? ""];
    const outcome = decided.get(`${number} ${runId}`);
    if (number === null || truth === undefined || outcome === undefined) continue;
    cases.set(number, { number, atMs: outcome.atMs, truth });
  }
  return [...cases.values()];
}
