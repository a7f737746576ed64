import type { Claim } from "../claim.ts";
import type { RunRecord } from "../run-record.ts";
import { isShownAmongDeaf, realRunsAmongDeaf } from "./among-deaf.ts";
import { isMatch } from "./claim-lines.ts";
import { controlsThatShow } from "./decide-evidence.ts";
import { drawsOnChance } from "./draws-on-chance.ts";
import { forbiddenChanges } from "./forbidden-changes.ts";
import { needsControls } from "./needs-controls.ts";
import { pleasingAnswers } from "./pleasing-answers.ts";

/** Runs of the whole product, when something says that they may differ. */
const MAX_REAL_RUNS = 12;
/** Real runs after the first deaf run, when they differ and hardly one of them shows the claim. */
const MAX_AMONG_DEAF = 18;
/** With one answer, when real runs differ: a script that fails by chance could pass a single deaf run. */
const DEAF_RUNS_WHERE_REAL_DIFFER = 8;

export type NextRuns =
  /** So many real and deaf runs, one at a time and in random order: no script can tell by time or by counting which is which. */
  | { type: "mixed"; real: number; deaf: number; answers: DeafAnswers }
  /** More deaf runs: the product gives answers that the script itself names, one after the other. */
  | { type: "answers" }
  /** One deaf run more: the product as it is, under a manifest that lets everything be found. */
  | { type: "manifest" }
  | { type: "enough" };

/** What a deaf product answers: `named` as in the records, `likeliest` what is tried first. */
export type DeafAnswers = { type: "likeliest" } | { type: "named"; answers: string | null };

export interface Plan {
  /** Real runs, when nothing says that they differ. */
  readonly runs: number;
  /** Earlier runs, which are not among the records, came out differently. */
  readonly hasDiffered: boolean;
  /** A deaf product can be made here. */
  readonly canBeDeaf: boolean;
  /** The deaf runs with answers that the script names have taken place. */
  readonly hasTried: boolean;
}

/** The further runs that a verdict needs, after the first real runs and one of each control but the deaf one. Pure. */
export function planNextRuns(claim: Claim, records: readonly RunRecord[], plan: Plan): NextRuns {
  const real = missingRealRuns(claim, records, plan);
  const pleasing = pleasingAnswers(claim, records);
  const deaf = missingDeafRuns(claim, records, plan);
  if (deaf > 0 && pleasing !== null) {
    const answers: DeafAnswers = { type: "named", ...pleasing };
    if (!differs(claim, records)) return { type: "mixed", real: Math.max(real, deaf + 1), deaf, answers };
    const each = Math.max(real, deaf);
    return { type: "mixed", real: each, deaf: each, answers };
  }
  if (real > 0 || deaf > 0) return { type: "mixed", real, deaf, answers: { type: "likeliest" } };
  return plan.hasTried ? { type: "enough" } : otherAnswers(claim, records);
}

function missingRealRuns(claim: Claim, records: readonly RunRecord[], { runs, hasDiffered }: Plan): number {
  const real = records.filter(({ kind }) => kind === "real");
  const mayDiffer = differs(claim, records) || hasDiffered || drawsOnChance(claim.script);
  if (!mayDiffer || forbiddenChanges(records).length > 0) return Math.max(0, runs - real.length);
  const matched = real.filter((run) => isMatch(claim, run)).length;
  const areBothSeen = matched > 0 && matched < real.length;
  const isTold = areBothSeen && real.length >= 6;
  const among = areBothSeen && !isShownAmongDeaf(claim, records) ? realRunsAmongDeaf(claim, records) : null;
  return Math.max(
    0,
    runs - real.length,
    isTold ? 0 : MAX_REAL_RUNS - real.length,
    among === null ? 0 : MAX_AMONG_DEAF - among.length,
  );
}

/** Of those that please the script, or, as long as there is none, the first. */
function missingDeafRuns(claim: Claim, records: readonly RunRecord[], { runs, canBeDeaf }: Plan): number {
  if (!canBeDeaf || !needsControls(claim, records, runs)) return 0;
  const deaf = records.filter(({ kind }) => kind === "deaf");
  const [first] = deaf;
  if (first === undefined) return 1;
  const pleasing = pleasingAnswers(claim, records);
  if (pleasing === null) return 0;
  // A script knows how many answers it names, and so when they have been tried: the one that pleases it is tried again.
  const usual = pleasing.answers === first.answers ? 1 : 2;
  const wanted = differs(claim, records) ? DEAF_RUNS_WHERE_REAL_DIFFER : usual;
  return Math.max(0, wanted - deaf.filter(({ answers }) => answers === pleasing.answers).length);
}

function otherAnswers(claim: Claim, records: readonly RunRecord[]): NextRuns {
  if (forbiddenChanges(records).length > 0 || wholeProduct(records).every((run) => !isMatch(claim, run)))
    return { type: "enough" };
  const shownIn = controlsThatShow({ claim, records });
  if (shownIn.length === 0 || shownIn.includes("absent")) return { type: "enough" };
  return { type: shownIn.includes("broken") ? "manifest" : "answers" };
}

/** Runs that should be alike. */
function wholeProduct(records: readonly RunRecord[]): RunRecord[] {
  return records.filter(({ kind }) => kind === "real" || kind === "renumbered");
}

function differs(claim: Claim, records: readonly RunRecord[]): boolean {
  const seen = new Set(wholeProduct(records).map((run) => isMatch(claim, run)));
  return seen.size === 2;
}
