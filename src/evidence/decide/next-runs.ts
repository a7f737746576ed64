import type { Claim } from "../claim.ts";
import type { RunRecord } from "../run-record.ts";
import { isMatch } from "./claim-lines.ts";
import { controlsThatShow } from "./decide-evidence.ts";
import { drawsOnChance } from "./draws-on-chance.ts";
import { forbiddenChanges } from "./forbidden-changes.ts";

/** Runs of the whole product in all, when something says that they may differ. */
export const MAX_REAL_RUNS = 12;

export type NextRuns =
  | { type: "real"; count: number }
  /** More deaf runs: the product gives answers that the script itself names, one after the other. */
  | { type: "answers" }
  /** One deaf run more: the product as it is, under a manifest that lets everything be found. */
  | { type: "manifest" }
  | { type: "enough" };

/**
 * The further runs that a verdict needs, after the first real runs and one of each control. `hasDiffered`: earlier
 * runs, which are not among the records, came out differently. Pure.
 */
export function planNextRuns(claim: Claim, records: readonly RunRecord[], hasDiffered = false): NextRuns {
  if (forbiddenChanges(records).length > 0) return { type: "enough" };
  const alike = records.filter(({ kind }) => kind === "real" || kind === "renumbered");
  const real = alike.filter(({ kind }) => kind === "real");
  const matched = alike.filter((run) => isMatch(claim, run));
  const differs = matched.length > 0 && matched.length < alike.length;
  const isChancy = hasDiffered || drawsOnChance(claim.script);
  if ((differs || isChancy) && real.length < MAX_REAL_RUNS && !isSettled(claim, real))
    return { type: "real", count: MAX_REAL_RUNS - real.length };
  if (matched.length === 0) return { type: "enough" };
  const shownIn = controlsThatShow({ claim, records });
  const hasTried = records.filter(({ kind }) => kind === "deaf").length > 1;
  if (hasTried || shownIn.length === 0 || shownIn.includes("absent")) return { type: "enough" };
  return { type: shownIn.includes("broken") ? "manifest" : "answers" };
}

/** Both outcomes were seen among the real runs, often enough to tell how often. */
function isSettled(claim: Claim, real: readonly RunRecord[]): boolean {
  const matched = real.filter((run) => isMatch(claim, run)).length;
  return matched > 0 && matched < real.length && real.length >= 6;
}
