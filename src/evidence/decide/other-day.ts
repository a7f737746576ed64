import type { Claim } from "../claim.ts";
import type { RunRecord } from "../run-record.ts";
import { isSatisfied } from "./satisfying-answers.ts";

/** Returns whether a run is the control that should behave like the real runs: renumbered, with the right clock. */
export function isRenumbered({ kind, day }: RunRecord): boolean {
  return kind === "renumbered" && day === undefined;
}

/** Returns the runs of the whole product under the right clock, which should all behave alike. */
export function alikeRuns(records: readonly RunRecord[]): RunRecord[] {
  return records.filter((run) => run.kind === "real" || isRenumbered(run));
}

/**
 * Returns whether the script succeeds because the clock was moved. A run that fails in another way proves nothing, because the
 * script or the product may not work with such a clock.
 */
export function isGoneOnOtherDay(claim: Pick<Claim, "expect">, run: RunRecord): boolean {
  return run.day !== undefined && isSatisfied(run, claim);
}
