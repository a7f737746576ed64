import type { Claim } from "../claim.ts";
import type { RunRecord } from "../run-record.ts";
import { isMatch } from "./claim-lines.ts";

/**
 * Whether the script finds no fault with what a deaf product answers. A script that fails whatever the answer is does not judge
 * it, be it that its text then is another one: it may print the answer.
 */
export function isPleased(run: RunRecord, claim: Pick<Claim, "expect">): boolean {
  if (isMatch(claim, run) || run.end.type !== "exited") return false;
  return claim.expect?.exitCode === 0 || run.end.exitCode === 0;
}

/** The answers with which every deaf run pleases the script, the first of several; null: there are none. */
export function pleasingAnswers(
  claim: Pick<Claim, "expect">,
  records: readonly RunRecord[],
): Pick<RunRecord, "answers"> | null {
  const found = records.find(({ kind, answers }) => kind === "deaf" && isPleasing(answers, claim, records));
  return found === undefined ? null : { answers: found.answers };
}

/** Whether there are deaf runs with these answers and each of them pleases the script. */
export function isPleasing(
  answers: RunRecord["answers"],
  claim: Pick<Claim, "expect">,
  records: readonly RunRecord[],
): boolean {
  const deaf = records.filter((run) => run.kind === "deaf" && run.answers === answers);
  return deaf.length > 0 && deaf.every((run) => isPleased(run, claim));
}
