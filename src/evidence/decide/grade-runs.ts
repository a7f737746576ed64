import type { Claim } from "../claim.ts";
import type { ControlOutcome, Grade, PlaceKind } from "../grade.ts";
import { CONTROL_KINDS, type ControlKind, type RunRecord } from "../run-record.ts";
import type { Verdict } from "../verdict.ts";
import { isMatch } from "./claim-lines.ts";
import { controlsThatShow } from "./decide-evidence.ts";
import { isGoneOnOtherDay, isRenumbered } from "./other-day.ts";

/** The runs of a verification, the controls that could not be made, and where the runs took place. */
export interface MadeRuns {
  readonly records: readonly RunRecord[];
  readonly missing: ReadonlySet<ControlKind>;
  readonly place: PlaceKind;
}

/** Returns the grade of the runs that is shown to people (V7). Range and test are determined later. Pure. */
export function gradeRuns(
  claim: Pick<Claim, "expect">,
  verdict: Verdict,
  { records, missing, place }: MadeRuns,
): Grade {
  const shown = controlsThatShow({ claim, records });
  const outcomeOf = (kind: ControlKind): ControlOutcome => {
    const runs = records.filter((run) => run.kind === kind);
    if (missing.has(kind)) return "missing";
    if (runs.length === 0) return "not-run";
    if (kind === "renumbered")
      return runs.some((run) => isGoneOnOtherDay(claim, run) || (isRenumbered(run) && !isMatch(claim, run)))
        ? "loses-the-claim"
        : "passed";
    return shown.includes(kind) ? "shows-the-claim" : "passed";
  };
  const real = records.filter(({ kind }) => kind === "real");
  return {
    verdict: verdict.type,
    runs: { matched: real.filter((run) => isMatch(claim, run)).length, total: real.length },
    controls: Object.fromEntries(CONTROL_KINDS.map((kind) => [kind, outcomeOf(kind)])) as Grade["controls"],
    range: null,
    test: null,
    place,
  };
}
