import { plainText } from "../../github/index.ts";
import type { Outcome, Reproduction } from "../outcome.ts";

/** Returns which field an outcome lacks for its own claim; null when it is complete. The schema has already been checked. */
export function findIncompleteness(outcome: Outcome): string | null {
  switch (outcome.outcome) {
    case "ready-for-agent":
      return readyForAgent(outcome);
    case "needs-info":
      return outcome.questions.length > 0 || outcome.reproduction?.attempted === true
        ? null
        : "needs-info requires questions, or a reproduction that was attempted";
    case "wontfix":
      return outcome.wontfix === null ? "wontfix requires its reason in `wontfix`" : null;
    case "ready-for-human":
    case "needs-triage":
      return null;
  }
}

/**
 * Returns what an outcome ready-for-agent lacks, or null. A low-confidence proposal becomes needs-info or notes (policy 1), so it
 * does not have to be complete.
 */
function readyForAgent({ category, confidence, brief, reproduction }: Outcome): string | null {
  if (confidence === "low") return null;
  if (brief === null) return "ready-for-agent requires a brief";
  if (category === "enhancement") return null;
  if (isInvisible(reproduction)) return "reproduction.expect.outputContains requires visible text";
  return isCheckable(reproduction)
    ? null
    : "a bug that is ready-for-agent requires a reproduction with a script and a condition to check it";
}

function isCheckable(reproduction: Reproduction | null): boolean {
  if (reproduction === null || reproduction.script === null || reproduction.expect === null) return false;
  return reproduction.expect.exitCode !== null || reproduction.expect.outputContains !== null;
}

/**
 * Returns whether the expected text consists only of control sequences. The parent compares plain text, which contains no colours.
 */
function isInvisible(reproduction: Reproduction | null): boolean {
  const text = reproduction?.expect?.outputContains ?? null;
  return text !== null && plainText(text) === "";
}
