import type { Claim } from "../claim.ts";
import type { ControlKind, RunRecord } from "../run-record.ts";
import { isMatch } from "./claim-lines.ts";
import { forbiddenChanges } from "./forbidden-changes.ts";
import { isPleased } from "./pleasing-answers.ts";

/** The renumbered run is one of those that should be alike. */
type DecidingKind = Exclude<ControlKind, "renumbered">;

/** The runs that still have to be repeated alone before a verdict can rest on runs side by side. */
export type Settlement =
  | { type: "settled" }
  /** A control that decides has to show the same with the place to itself. */
  | { type: "alone"; kind: DecidingKind; answers: string | null }
  /** Runs disturbed each other, or the bug is flaky: all have to be made again, one at a time. */
  | { type: "one-at-a-time" };

/**
 * Runs side by side share ports, processor time and memory. So they may end the search for a verdict only where they agree:
 * the runs that should be alike with each other, and each control that decides with a repeat that had the place to itself.
 * Pure; records of runs that all had the place to themselves are settled.
 */
export function settle(claim: Claim, records: readonly RunRecord[]): Settlement {
  if (records.every(({ alone }) => alone) || forbiddenChanges(records).length > 0) return { type: "settled" };
  const alike = records.filter(({ kind }) => kind === "real" || kind === "renumbered");
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

/** The controls with company on which a verdict would rest: those that show the claim, and the deaf run that pleased the script. */
function decidingControls(
  claim: Claim,
  records: readonly RunRecord[],
): (RunRecord & { kind: DecidingKind })[] {
  const ofKind = <Kind extends DecidingKind>(kind: Kind): (RunRecord & { kind: Kind })[] =>
    records.filter((run): run is RunRecord & { kind: Kind } => run.kind === kind);
  const shown = [...ofKind("absent"), ...ofKind("broken")].filter((run) => isMatch(claim, run));
  const deaf = ofKind("deaf");
  const pleased = deaf.filter((run) => isPleased(run, claim));
  const ofDeaf = pleased.length === 0 ? deaf.slice(0, 1) : pleased;
  return [...shown, ...ofDeaf].filter(({ alone }) => !alone);
}

function isSame(claim: Claim, run: RunRecord, repeat: RunRecord): boolean {
  return isMatch(claim, run) === isMatch(claim, repeat) && isPleased(run, claim) === isPleased(repeat, claim);
}
