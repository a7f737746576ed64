import type { Claim } from "../claim.ts";
import type { RunRecord } from "../run-record.ts";
import { isMatch } from "./claim-lines.ts";
import { controlsThatShow } from "./decide-evidence.ts";
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

/** Sources of chance: runs of a script that draws from one are repeated, whatever the first ones show. */
const CHANCE =
  /Math\.random|\/dev\/u?random|\$\{?RANDOM\b|\bshuf\b|getrandom|randomBytes|randomInt|randomUUID|crypto\.getRandomValues|import random|random\.(?:random|choice|randint)|hrtime|performance\.now|%N|nanoseconds?|time\.time_ns|process\.pid|\$\$|&\s*(?:\n|$)|\bwait\b|Promise\.race|Date\.now\(\)\s*%|\bgetpid\b|SRANDOM|EPOCHREALTIME/;

/** What else has to run before a verdict can stand, after `first` real runs and one of each control. Pure. */
export function planNextRuns(claim: Claim, records: readonly RunRecord[]): NextRuns {
  if (forbiddenChanges(records).length > 0) return { type: "enough" };
  const alike = records.filter(({ kind }) => kind === "real" || kind === "renumbered");
  const real = alike.filter(({ kind }) => kind === "real");
  const matched = alike.filter((run) => isMatch(claim, run));
  const differs = matched.length > 0 && matched.length < alike.length;
  const isChancy = CHANCE.test(claim.script);
  if ((differs || isChancy) && real.length < MAX_REAL_RUNS && !isSettled(claim, real))
    return { type: "real", count: MAX_REAL_RUNS - real.length };
  if (matched.length === 0) return { type: "enough" };
  const shownIn = controlsThatShow({ claim, records });
  const hasTried = records.some(({ answers }) => answers !== null);
  if (hasTried || shownIn.length === 0 || shownIn.includes("absent")) return { type: "enough" };
  return { type: shownIn.includes("broken") ? "manifest" : "answers" };
}

/** Both outcomes were seen among the real runs, often enough to tell how often. */
function isSettled(claim: Claim, real: readonly RunRecord[]): boolean {
  const matched = real.filter((run) => isMatch(claim, run)).length;
  return matched > 0 && matched < real.length && real.length >= 6;
}
