import type { Claim } from "../claim.ts";
import type { RunRecord } from "../run-record.ts";
import { isMatch } from "./claim-lines.ts";
import { controlsThatShow } from "./decide-evidence.ts";
import { forbiddenChanges } from "./forbidden-changes.ts";

/** The real runs that follow the other controls; the deaf run has a random place among them. */
export const LAST_REAL_RUNS = 2;

/**
 * Whether one control run more could still change whether the script is evidence. Not when the script has tampered, when the
 * claim shows without the product's files, or when no real run before the last two shows it. Pure.
 * `plannedReal`: the real runs that are asked for.
 */
export function needsControls(claim: Claim, records: readonly RunRecord[], plannedReal: number): boolean {
  if (forbiddenChanges(records).length > 0) return false;
  if (controlsThatShow({ claim, records }).includes("absent")) return false;
  const real = records.filter(({ kind }) => kind === "real");
  const before = Math.max(1, plannedReal - LAST_REAL_RUNS);
  return real.length < before || real.some((run) => isMatch(claim, run));
}

/** Whether the runs so far decide, although others that were planned are missing. Pure. */
export function isBeyondDoubt(claim: Claim, records: readonly RunRecord[], plannedReal: number): boolean {
  if (forbiddenChanges(records).length > 0) return true;
  const real = records.filter(({ kind }) => kind === "real");
  const isShown = real.some((run) => isMatch(claim, run));
  return isShown ? controlsThatShow({ claim, records }).includes("absent") : real.length >= plannedReal;
}
