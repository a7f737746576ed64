import type { Claim } from "../claim.ts";
import type { RunRecord } from "../run-record.ts";
import { isMatch } from "./claim-lines.ts";
import { pleasingAnswers } from "./pleasing-answers.ts";

/** The real runs that took place after the first deaf run with the answers that please the script; null: there is none. */
export function realRunsAmongDeaf(
  claim: Pick<Claim, "expect">,
  records: readonly RunRecord[],
): RunRecord[] | null {
  const pleasing = pleasingAnswers(claim, records);
  if (pleasing === null) return null;
  const deaf = records.filter(({ kind, answers }) => kind === "deaf" && answers === pleasing.answers);
  const first = Math.min(...deaf.map(({ order }) => order));
  return records.filter(({ kind, order }) => kind === "real" && order > first);
}

/**
 * For real runs that differ: whether enough of them show the claim among the deaf runs. Those are in random order, so a script
 * that shows its claim by time or by counting has to guess right twice. True where there is no such deaf run.
 */
export function isShownAmongDeaf(claim: Pick<Claim, "expect">, records: readonly RunRecord[]): boolean {
  const real = realRunsAmongDeaf(claim, records);
  return real === null || real.filter((run) => isMatch(claim, run)).length >= 2;
}
