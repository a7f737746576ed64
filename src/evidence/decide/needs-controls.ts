import type { Claim } from "../claim.ts";
import type { RunRecord } from "../run-record.ts";
import { isMatch } from "./claim-lines.ts";
import { controlsThatShow } from "./decide-evidence.ts";
import { forbiddenChanges } from "./forbidden-changes.ts";

/** The number of real runs after the other controls. The deaf run takes place at a random position among them. */
export const LAST_REAL_RUNS = 2;

/**
 * Returns whether one more control run could still change whether the script is evidence. It could not if the script has
 * tampered, if a run without the product's files shows the claim, or if no real run before the last two shows it. `plannedReal`
 * is the number of requested real runs. Pure.
 */
export function needsControls(claim: Claim, records: readonly RunRecord[], plannedReal: number): boolean {
  if (forbiddenChanges(records).length > 0) return false;
  if (controlsThatShow({ claim, records }).includes("absent")) return false;
  const real = records.filter(({ kind }) => kind === "real");
  const before = Math.max(1, plannedReal - LAST_REAL_RUNS);
  return real.length < before || real.some((run) => isMatch(claim, run));
}

/** Returns whether the runs so far suffice for a verdict although planned runs are missing. Pure. */
export function isBeyondDoubt(claim: Claim, records: readonly RunRecord[], plannedReal: number): boolean {
  if (forbiddenChanges(records).length > 0) return true;
  const real = records.filter(({ kind }) => kind === "real");
  const isShown = real.some((run) => isMatch(claim, run));
  return isShown ? controlsThatShow({ claim, records }).includes("absent") : real.length >= plannedReal;
}
