import type { Claim } from "../claim.ts";
import type { RunRecord } from "../run-record.ts";
import { isMatch } from "./claim-lines.ts";
import { satisfyingAnswers } from "./satisfying-answers.ts";

/** Returns the real runs after the first deaf run with the answers that satisfy the script; null: no answers satisfy it. */
export function realRunsAmongDeaf(
  claim: Pick<Claim, "expect">,
  records: readonly RunRecord[],
): RunRecord[] | null {
  const satisfying = satisfyingAnswers(claim, records);
  if (satisfying === null) return null;
  const deaf = records.filter(({ kind, answers }) => kind === "deaf" && answers === satisfying.answers);
  const first = Math.min(...deaf.map(({ order }) => order));
  return records.filter(({ kind, order }) => kind === "real" && order > first);
}

/**
 * Returns whether enough of the real runs after the first deaf run show the claim. It matters only if real runs differ. From the
 * first deaf run on, real and deaf runs are in random order, so a script that shows its claim by time or by counting its runs would
 * have to guess right twice. True if no deaf run satisfies the script.
 */
export function isShownAmongDeaf(claim: Pick<Claim, "expect">, records: readonly RunRecord[]): boolean {
  const real = realRunsAmongDeaf(claim, records);
  return real === null || real.filter((run) => isMatch(claim, run)).length >= 2;
}
