import type { Claim } from "../claim.ts";
import type { ControlKind, RunRecord } from "../run-record.ts";
import { isMatch } from "./claim-lines.ts";
import { forbiddenChanges } from "./forbidden-changes.ts";
import { alikeRuns } from "./other-day.ts";
import { isSatisfied } from "./satisfying-answers.ts";

/** All controls except the renumbered run, which should behave like the real runs. */
type DecidingKind = Exclude<ControlKind, "renumbered">;

/** The runs that must be repeated alone before a verdict can be based on runs that took place side by side. */
export type Settlement =
  | { type: "settled" }
  /** A deciding control must have the same result when it runs alone. */
  | { type: "alone"; kind: DecidingKind; answers: string | null }
  /** Runs disturbed each other, or the bug is flaky: all must be repeated, one at a time. */
  | { type: "one-at-a-time" };

/**
 * Returns which runs must be repeated alone. Runs side by side share ports, processor time and memory, so a verdict may be based
 * on them only if they agree: the runs that should be alike must agree with each other, and each deciding control must agree with
 * a repetition that ran alone. Records of runs that all ran alone are settled. Pure.
 */
export function settle(claim: Claim, records: readonly RunRecord[]): Settlement {
  if (records.every(({ alone }) => alone) || forbiddenChanges(records).length > 0) return { type: "settled" };
  const alike = alikeRuns(records);
  const matched = alike.filter((run) => isMatch(claim, run)).length;
  if (matched === 0) return { type: "settled" };
  if (matched < alike.length) return { type: "one-at-a-time" };
  for (const run of decidingControls(claim, records)) {
    const { kind, answers } = run;
    const repeat = records.find((one) => one.alone && one.kind === kind && one.answers === answers);
    if (repeat === undefined) return { type: "alone", kind, answers };
    if (!isSame(claim, run, repeat)) return { type: "one-at-a-time" };
  }
  return { type: "settled" };
}

/**
 * Returns the controls that ran side by side with others and on which a verdict would depend: those that show the claim, and the
 * deaf runs that satisfied the script (if none did, the first deaf run).
 */
function decidingControls(
  claim: Claim,
  records: readonly RunRecord[],
): (RunRecord & { kind: DecidingKind })[] {
  const ofKind = <Kind extends DecidingKind>(kind: Kind): (RunRecord & { kind: Kind })[] =>
    records.filter((run): run is RunRecord & { kind: Kind } => run.kind === kind);
  const shown = [...ofKind("absent"), ...ofKind("broken")].filter((run) => isMatch(claim, run));
  const deaf = ofKind("deaf");
  const satisfied = deaf.filter((run) => isSatisfied(run, claim));
  const ofDeaf = satisfied.length === 0 ? deaf.slice(0, 1) : satisfied;
  return [...shown, ...ofDeaf].filter(({ alone }) => !alone);
}

function isSame(claim: Claim, run: RunRecord, repeat: RunRecord): boolean {
  return (
    isMatch(claim, run) === isMatch(claim, repeat) && isSatisfied(run, claim) === isSatisfied(repeat, claim)
  );
}
