import type { Ids } from "agent-tty/kit";
import type { Claim } from "../claim.ts";
import { controlsThatShow, needsControls, planNextRuns, settle, type Settlement } from "../decide/index.ts";
import type { ControlKind } from "../run-record.ts";
import { runSideBySide } from "./run-side-by-side.ts";
import { shuffled } from "./shuffled.ts";
import { labelOf, type Run, type VerificationStage } from "./verification-stage.ts";

/**
 * Has the place to itself, when the runs side by side have ended: it needs what the product answered in the renumbered run, and
 * a verdict rests on it.
 */
const FIRST_DEAF: Run = { kind: "deaf", answer: "first" };

export interface Collection {
  readonly claim: Claim;
  /** Real runs, when nothing says that they differ. */
  readonly runs: number;
}

/**
 * Makes the runs that a verdict needs: as many at a time as the stage has desks, and all of them again one at a time when
 * runs side by side disagree. Gives the controls that could not be made.
 */
export async function collectRuns(
  stage: VerificationStage,
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

function impossibleControls({ checkout: { product } }: VerificationStage): Set<ControlKind> {
  const missing = new Set<ControlKind>();
  if (product.files.length === 0) missing.add("absent");
  if (product.sources.length === 0)
    for (const kind of ["broken", "deaf", "renumbered"] as const) missing.add(kind);
  return missing;
}

/** `missing` takes up the controls that turn out to be impossible. */
async function collect(
  stage: VerificationStage,
  { claim, runs }: Collection,
  ids: Ids,
  missing: Set<ControlKind>,
  { atATime, hasDiffered }: { atATime: number; hasDiffered: boolean },
): Promise<"complete" | "one-at-a-time"> {
  const pending = firstRuns(runs - 1, missing, ids);
  const isNeeded = ({ kind }: Run): boolean =>
    kind === "real" || (!missing.has(kind) && needsControls(claim, stage.records, runs));
  const onImpossible = (kind: ControlKind): void => {
    missing.add(kind);
    // Both need the same adapter.
    if (kind === "renumbered") missing.add("deaf");
  };
  for (;;) {
    if (pending.some(isNeeded)) {
      if (!(await runSideBySide(stage, pending, { atATime, isNeeded, onImpossible }))) return "complete";
      continue;
    }
    const settlement = settle(claim, stage.records);
    if (settlement.type === "one-at-a-time") {
      await stage.close();
      // The changes of the last runs are known only now.
      return settle(claim, stage.records).type === "settled" ? "complete" : "one-at-a-time";
    }
    if (isNeeded(FIRST_DEAF) && stage.records.every(({ kind }) => kind !== "deaf")) {
      if (await stage.run(FIRST_DEAF)) continue;
      if (stage.hasEnded) return "complete";
      missing.add("deaf");
    }
    const next = planNextRuns(claim, stage.records, hasDiffered);
    if (next.type === "answers" || next.type === "manifest") {
      if (!(await tryAnswers(stage, claim, next.type, atATime))) return "complete";
    } else if (settlement.type === "alone") {
      if (!(await stage.run(repeatOf(settlement, stage)))) return "complete";
    } else if (next.type === "real" || !isShowingFailure(stage, runs)) {
      if (!(await stage.run({ kind: "real" }))) return "complete";
    } else return "complete";
  }
}

/** In random order, without the deaf run and the real run that come last. */
function firstRuns(real: number, missing: ReadonlySet<ControlKind>, ids: Ids): Run[] {
  const all: Run[] = [
    ...Array.from({ length: real }, (): Run => ({ kind: "real" })),
    { kind: "absent" },
    { kind: "broken" },
    { kind: "renumbered" },
  ];
  return shuffled(
    all.filter(({ kind }) => kind === "real" || !missing.has(kind)),
    ids,
  );
}

/** The last run is a real one, at the first desk and alone: its screen is the picture of the failure. */
function isShowingFailure({ records }: VerificationStage, runs: number): boolean {
  const last = records.at(-1);
  return last?.kind === "real" && last.alone && records.filter(({ kind }) => kind === "real").length >= runs;
}

function repeatOf(
  { kind, answers }: Extract<Settlement, { type: "alone" }>,
  { deafAnswers }: VerificationStage,
): Run {
  if (kind !== "deaf") return { kind };
  return { kind, answer: deafAnswers.find((one) => labelOf(one) === answers) ?? null };
}

/** Deaf runs with the answers that the script itself names, until one pleases it. False: the Session has ended. */
async function tryAnswers(
  stage: VerificationStage,
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
