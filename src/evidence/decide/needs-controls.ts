import type { Claim } from "../claim.ts";
import type { RunRecord } from "../run-record.ts";
import { isMatch } from "./claim-lines.ts";
import { controlsThatShow } from "./decide-evidence.ts";
import { forbiddenChanges } from "./forbidden-changes.ts";

/**
 * Whether one control run more could still change whether the script is evidence. Not when the script has tampered, when the
 * claim shows without the product's files, or when no real run but the last, which is yet to come, shows it. Pure.
 * `plannedReal`: the real runs that are asked for.
 */
export function needsControls(claim: Claim, records: readonly RunRecord[], plannedReal: number): boolean {
  if (forbiddenChanges(records).length > 0) return false;
  if (controlsThatShow({ claim, records }).includes("absent")) return false;
  const real = records.filter(({ kind }) => kind === "real");
  const isUnseen = real.length >= Math.max(1, plannedReal - 1) && !real.some((run) => isMatch(claim, run));
  return !isUnseen;
}
