import type { Claim } from "../claim.ts";
import type { RunRecord } from "../run-record.ts";
import { isShownAmongDeaf, realRunsAmongDeaf } from "./among-deaf.ts";
import { isMatch } from "./claim-lines.ts";
import { controlsThatShow } from "./decide-evidence.ts";
import { drawsOnChance } from "./draws-on-chance.ts";
import { forbiddenChanges } from "./forbidden-changes.ts";
import { needsControls } from "./needs-controls.ts";
import { alikeRuns } from "./other-day.ts";
import { satisfyingAnswers } from "./satisfying-answers.ts";

/** The number of real runs if there is a sign that they may differ. */
const MAX_REAL_RUNS = 12;
/** The number of real runs after the first deaf run if they differ and hardly any of them shows the claim. */
const MAX_AMONG_DEAF = 18;
/** The number of deaf runs with one answer if real runs differ: a script that fails by chance could pass a single deaf run. */
const DEAF_RUNS_WHERE_REAL_DIFFER = 8;

export type NextRuns =
  /**
   * This many real and deaf runs, one at a time and in random order, so that a script cannot distinguish them by time or by
   * counting.
   */
  | { type: "mixed"; real: number; deaf: number; answers: DeafAnswers }
  /** More deaf runs: the product returns the answers that the script itself names, one after the other. */
  | { type: "answers" }
  /** One more deaf run: the product is unchanged, and its manifest lets every file be found. */
  | { type: "manifest" }
  /** More renumbered runs: the clock is moved to other days. */
  | { type: "other-days" }
  | { type: "enough" };

/**
 * The values that a deaf product returns. `named`: the answers with this name in the records; `likeliest`: the first ones to try.
 */
export type DeafAnswers = { type: "likeliest" } | { type: "named"; answers: string | null };

export interface Plan {
  /** The number of real runs if there is no sign that they differ. */
  readonly runs: number;
  /** Whether earlier runs, which are not among the records, had different results. */
  readonly hasDiffered: boolean;
  /** Whether a deaf product can be made here. */
  readonly canBeDeaf: boolean;
  /** Whether the deaf runs with the answers that the script names have already taken place. */
  readonly hasTried: boolean;
  /** Whether days to which the clock could be moved are left. */
  readonly hasOtherDays: boolean;
}

/**
 * Returns the further runs that a verdict needs after the first real runs and one run of each control except the deaf one. Pure.
 */
export function planNextRuns(claim: Claim, records: readonly RunRecord[], plan: Plan): NextRuns {
  const real = missingRealRuns(claim, records, plan);
  const satisfying = satisfyingAnswers(claim, records);
  const deaf = missingDeafRuns(claim, records, plan);
  if (deaf > 0 && satisfying !== null) {
    const answers: DeafAnswers = { type: "named", ...satisfying };
    if (!differs(claim, records)) return { type: "mixed", real: Math.max(real, deaf + 1), deaf, answers };
    const each = Math.max(real, deaf);
    return { type: "mixed", real: each, deaf: each, answers };
  }
  if (real > 0 || deaf > 0) return { type: "mixed", real, deaf, answers: { type: "likeliest" } };
  const next: NextRuns = plan.hasTried ? { type: "enough" } : otherAnswers(claim, records);
  return next.type === "enough" && plan.hasOtherDays && isUndisputed(claim, records)
    ? { type: "other-days" }
    : next;
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

/**
 * Returns how many deaf runs are missing with the answers that satisfy the script or, before the first deaf run, with the
 * likeliest answer.
 */
function missingDeafRuns(claim: Claim, records: readonly RunRecord[], { runs, canBeDeaf }: Plan): number {
  if (!canBeDeaf || !needsControls(claim, records, runs)) return 0;
  const deaf = records.filter(({ kind }) => kind === "deaf");
  const [first] = deaf;
  if (first === undefined) return 1;
  const satisfying = satisfyingAnswers(claim, records);
  if (satisfying === null) return 0;
  // A script can count how many answers it names, and therefore detect when all have been tried. So the answer that satisfies it is
  // tried again.
  const usual = satisfying.answers === first.answers ? 1 : 2;
  const wanted = differs(claim, records) ? DEAF_RUNS_WHERE_REAL_DIFFER : usual;
  return Math.max(0, wanted - deaf.filter(({ answers }) => answers === satisfying.answers).length);
}

function otherAnswers(claim: Claim, records: readonly RunRecord[]): NextRuns {
  if (forbiddenChanges(records).length > 0 || alikeRuns(records).every((run) => !isMatch(claim, run)))
    return { type: "enough" };
  const shownIn = controlsThatShow({ claim, records });
  if (shownIn.length === 0 || shownIn.includes("absent")) return { type: "enough" };
  return { type: shownIn.includes("broken") ? "manifest" : "answers" };
}

/** Returns whether every run of the whole product shows the claim, and no control does. */
function isUndisputed(claim: Claim, records: readonly RunRecord[]): boolean {
  if (forbiddenChanges(records).length > 0 || controlsThatShow({ claim, records }).length > 0) return false;
  return alikeRuns(records).every((run) => isMatch(claim, run));
}

function differs(claim: Claim, records: readonly RunRecord[]): boolean {
  const seen = new Set(alikeRuns(records).map((run) => isMatch(claim, run)));
  return seen.size === 2;
}
