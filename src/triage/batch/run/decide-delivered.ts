import type { ParsedOutcome } from "../../outcome-reader/index.ts";
import { decide, decideWithoutOutcome, type Decision, type DuplicateChoice } from "../../policy/index.ts";
import { isAnswered } from "../../resumption/index.ts";
import type { Verification } from "../../verification.ts";
import { reporterComments } from "../screen-issue.ts";
import type { AssessedIssue } from "../candidate.ts";

/** Returns the decision about a Triage Agent's result, after the parent's own verification of it. Pure. */
export function decideDelivered(
  { issue, comments, asked }: Pick<AssessedIssue, "issue" | "comments" | "asked">,
  parsed: ParsedOutcome,
  verification: Verification,
  duplicates?: DuplicateChoice,
): Decision {
  const ofReporter = reporterComments({ issue, comments });
  return parsed.type === "invalid"
    ? decideWithoutOutcome({ issue, problem: parsed.problem.message, wrote: parsed.text }, ofReporter)
    : decide({ issue, outcome: parsed.outcome, verification, duplicates }, isAnswered(asked), ofReporter);
}
