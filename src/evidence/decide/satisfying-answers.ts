import type { Claim } from "../claim.ts";
import type { RunRecord } from "../run-record.ts";
import { isMatch } from "./claim-lines.ts";

/** Matches what Node.js and Python print when an error ends a program. */
const CRASH = /^Node\.js v\d+\.\d+|^Traceback \(most recent call last\):/m;
/** Matches an answer that is an error, which may end the script's program. */
const IS_ERROR = /^(?:only \w+ )?(?:each )?throw \w+$/;

/**
 * Returns whether the script accepts the answers of a deaf product. A script that fails for every answer does not examine the
 * answer, even if its text differs, because it may print the answer.
 */
export function isSatisfied(run: RunRecord, claim: Pick<Claim, "expect">): boolean {
  if (isMatch(claim, run) || run.end.type !== "exited") return false;
  return claim.expect?.exitCode === 0 || run.end.exitCode === 0;
}

/** Returns the first answers with which every deaf run satisfies the script; null: there are none. */
export function satisfyingAnswers(
  claim: Pick<Claim, "expect">,
  records: readonly RunRecord[],
): Pick<RunRecord, "answers"> | null {
  const found = records.find(
    ({ kind, answers }) => kind === "deaf" && areSatisfying(answers, claim, records),
  );
  return found === undefined ? null : { answers: found.answers };
}

/**
 * Returns whether there are deaf runs with these answers and all of them satisfy the script. A run in which the answer crashes a
 * program of the script does not count, even if a pipe hides the crash, because the script did not check the answer.
 */
export function areSatisfying(
  answers: RunRecord["answers"],
  claim: Pick<Claim, "expect">,
  records: readonly RunRecord[],
): boolean {
  const deaf = records.filter((run) => run.kind === "deaf" && run.answers === answers);
  const mayCrash = IS_ERROR.test(answers ?? "") || records.some((run) => isWhole(run) && hasCrashed(run));
  return deaf.length > 0 && deaf.every((run) => isSatisfied(run, claim) && (mayCrash || !hasCrashed(run)));
}

const isWhole = ({ kind }: RunRecord): boolean => kind === "real" || kind === "renumbered";

const hasCrashed = ({ output }: RunRecord): boolean => CRASH.test(output);
