import type { Ids } from "agent-tty/kit";
import type { Claim } from "../claim.ts";
import {
  controlsThatShow,
  LAST_REAL_RUNS,
  needsControls,
  type NextRuns,
  planNextRuns,
  settle,
  type Settlement,
} from "../decide/index.ts";
import type { NamedAnswer } from "../controls/index.ts";
import type { ControlKind } from "../run-record.ts";
import { runSideBySide } from "./run-side-by-side.ts";
import { shuffled } from "./shuffled.ts";
import { labelOf, type Run, type VerificationStage } from "./verification-stage.ts";

/** The inputs that determine the order of the runs. */
export type RunStage = Pick<
  VerificationStage,
  "checkout" | "desks" | "records" | "deafAnswers" | "otherDays" | "hasEnded" | "run" | "forget" | "close"
>;

export interface Collection {
  readonly claim: Claim;
  /** The number of real runs if there is no sign that they differ. */
  readonly runs: number;
}

/**
 * Makes the runs that a verdict needs, as many at a time as the stage has desks. If runs side by side disagree, all of them are
 * repeated one at a time. Returns the controls that could not be made.
 */
export async function collectRuns(
  stage: RunStage,
  collection: Collection,
  ids: Ids,
): Promise<ReadonlySet<ControlKind>> {
  const missing = impossibleControls(stage);
  const end = await collect(stage, collection, ids, missing, { atATime: stage.desks, hasDiffered: false });
  if (end === "one-at-a-time") {
    stage.forget();
    await collect(stage, collection, ids, missing, { atATime: 1, hasDiffered: true });
  }
  await stage.close();
  return missing;
}

function impossibleControls({ checkout: { product } }: RunStage): Set<ControlKind> {
  const missing = new Set<ControlKind>();
  if (product.files.length === 0) missing.add("absent");
  if (product.replaced.length === 0) missing.add("broken");
  if (product.sources.length === 0) for (const kind of ["deaf", "renumbered"] as const) missing.add(kind);
  return missing;
}

/**
 * Makes the runs with at most `atATime` at a time, and adds the controls that turn out to be impossible to `missing`. Returns
 * `one-at-a-time` if all runs have to be repeated, one at a time.
 */
async function collect(
  stage: RunStage,
  { claim, runs }: Collection,
  ids: Ids,
  missing: Set<ControlKind>,
  { atATime, hasDiffered }: { atATime: number; hasDiffered: boolean },
): Promise<"complete" | "one-at-a-time"> {
  const pending = firstRuns(runs - LAST_REAL_RUNS, missing, ids);
  const isNeeded = ({ kind }: Run): boolean =>
    kind === "real" || (!missing.has(kind) && needsControls(claim, stage.records, runs));
  const onImpossible = (kind: ControlKind): void => {
    missing.add(kind);
    // The renumbered and the deaf product need the same adapter.
    if (kind === "renumbered") missing.add("deaf");
  };
  let hasTried = false;
  const days = missing.has("renumbered") ? [] : [...stage.otherDays];
  const plan = (): NextRuns =>
    planNextRuns(claim, stage.records, {
      runs,
      hasDiffered,
      hasTried,
      hasOtherDays: days.length > 0,
      canBeDeaf: !missing.has("deaf"),
    });
  for (;;) {
    if (pending.some(isNeeded)) {
      if (!(await runSideBySide(stage, pending, { atATime, isNeeded, onImpossible }))) return "complete";
      continue;
    }
    const settlement = settle(claim, stage.records);
    if (settlement.type === "one-at-a-time") {
      await stage.close();
      // The changes that the last runs made are known only after `close`.
      return settle(claim, stage.records).type === "settled" ? "complete" : "one-at-a-time";
    }
    const next = plan();
    if (next.type === "mixed") {
      for (const run of mixedRuns(next, stage, ids)) {
        if (pending.some(isNeeded)) break;
        if (!isPlanned(run, plan()) || (await stage.run(run))) continue;
        if (stage.hasEnded || run.kind === "real") return "complete";
        missing.add("deaf");
      }
    } else if (next.type === "answers" || next.type === "manifest") {
      hasTried = true;
      if (!(await tryAnswers(stage, claim, next.type, atATime))) return "complete";
    } else if (next.type === "other-days") {
      const pendingDays = days.splice(0).map((day): Run => ({ kind: "renumbered", day }));
      if (!(await runSideBySide(stage, pendingDays, { atATime, isNeeded: () => true, onImpossible: null })))
        return "complete";
    } else if (settlement.type === "alone") {
      if (!(await stage.run(repeatOf(settlement, stage)))) return "complete";
    } else return "complete";
  }
}

/** Returns the first runs in random order, without the deaf run and the last real runs. */
function firstRuns(real: number, missing: ReadonlySet<ControlKind>, ids: Ids): Run[] {
  const all: Run[] = [
    ...Array.from({ length: Math.max(0, real) }, (): Run => ({ kind: "real" })),
    { kind: "absent" },
    { kind: "broken" },
    { kind: "renumbered" },
  ];
  return shuffled(
    all.filter(({ kind }) => kind === "real" || !missing.has(kind)),
    ids,
  );
}

/**
 * Returns real and deaf runs in random order. Each of them runs alone, because a verdict depends on them; the first deaf run also
 * needs the product's answers from the renumbered run.
 */
function mixedRuns(
  { real, deaf, answers }: Extract<NextRuns, { type: "mixed" }>,
  stage: RunStage,
  ids: Ids,
): Run[] {
  const answer = answers.type === "likeliest" ? "first" : answerOf(answers.answers, stage);
  return shuffled(
    [
      ...Array.from({ length: real }, (): Run => ({ kind: "real" })),
      ...Array.from({ length: deaf }, (): Run => ({ kind: "deaf", answer })),
    ],
    ids,
  );
}

/** Returns whether a run that was planned before is still needed. */
function isPlanned({ kind }: Run, next: NextRuns): boolean {
  return next.type === "mixed" && (kind === "real" ? next.real > 0 : next.deaf > 0);
}

function answerOf(answers: string | null, { deafAnswers }: RunStage): NamedAnswer | null {
  return deafAnswers.find((one) => labelOf(one) === answers) ?? null;
}

function repeatOf({ kind, answers }: Extract<Settlement, { type: "alone" }>, stage: RunStage): Run {
  return kind === "deaf" ? { kind, answer: answerOf(answers, stage) } : { kind };
}

/**
 * Makes deaf runs with the answers that the script itself names, until one satisfies it. Returns false if the runs have ended, as
 * `runSideBySide` does.
 */
async function tryAnswers(
  stage: RunStage,
  claim: Claim,
  what: "answers" | "manifest",
  atATime: number,
): Promise<boolean> {
  const tried = new Set(stage.records.flatMap(({ kind, answers }) => (kind === "deaf" ? [answers] : [])));
  const untried = stage.deafAnswers.filter((answer) => !tried.has(labelOf(answer)));
  const pending = (what === "manifest" ? untried.slice(-1) : untried).map((answer): Run => ({
    kind: "deaf",
    answer,
  }));
  const isNeeded = (): boolean =>
    what === "manifest" || controlsThatShow({ claim, records: stage.records }).includes("deaf");
  return runSideBySide(stage, pending, { atATime, isNeeded, onImpossible: null });
}
