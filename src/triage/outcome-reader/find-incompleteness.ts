import { plainText } from "../../github/index.ts";
import type { Outcome, Reproduction } from "../outcome.ts";

/** Says which field an outcome lacks for its own claim; null when it is complete. The schema has been checked before. */
export function findIncompleteness(outcome: Outcome): string | null {
  switch (outcome.outcome) {
    case "ready-for-agent":
      return readyForAgent(outcome);
    case "needs-info":
      return outcome.questions.length > 0 || outcome.reproduction?.attempted === true
        ? null
        : "needs-info takes questions, or a reproduction that was attempted";
    case "wontfix":
      return outcome.wontfix === null ? "wontfix takes its reason in `wontfix`" : null;
    case "ready-for-human":
    case "needs-triage":
      return null;
  }
}

/** A low-confidence proposal becomes needs-info or notes (policy 1), so it need not be complete. */
function readyForAgent({ category, confidence, brief, reproduction }: Outcome): string | null {
  if (confidence === "low") return null;
  if (brief === null) return "ready-for-agent takes a brief";
  if (category === "enhancement") return null;
  if (isInvisible(reproduction)) return "reproduction.expect.outputContains takes a text that can be seen";
  return isCheckable(reproduction)
    ? null
    : "a bug that is ready-for-agent takes a reproduction with a script and an expectation to check it by";
}

function isCheckable(reproduction: Reproduction | null): boolean {
  if (reproduction === null || reproduction.script === null || reproduction.expect === null) return false;
  return reproduction.expect.exitCode !== null || reproduction.expect.outputContains !== null;
}

/** The parent compares plain text: a colour alone is not in it. */
function isInvisible(reproduction: Reproduction | null): boolean {
  const text = reproduction?.expect?.outputContains ?? null;
  return text !== null && plainText(text) === "";
}
