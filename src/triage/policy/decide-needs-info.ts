import type { Outcome } from "../outcome.ts";
import type { Verification } from "../verification.ts";
import type { Findings } from "./comment-content.ts";
import { fixedProposal } from "./fixed-proposal.ts";
import { type IsAnswered, openQuestions, questionsOf } from "./open-questions.ts";
import { needsInfo, needsTriage, type Proposal, reported } from "./proposal.ts";
import { seenEvidence, type SeenVerification } from "./seen-evidence.ts";

/** The Triage Agent wants to ask the reporter. What the parent's own runs of its script show comes before that (policy 2, V5). */
export function decideNeedsInfo(
  outcome: Outcome,
  verification: Verification,
  findings: Findings,
  isAnswered: IsAnswered,
): Proposal {
  switch (verification.type) {
    case "already-fixed":
      return fixedProposal(verification, findings);
    case "reproduced":
    case "flaky":
      return seenAfterAll(outcome, verification, findings);
    case "not-attempted":
    case "impossible":
    case "unproven":
    case "not-reproduced":
      return needsInfo({
        findings,
        tried: reported(outcome),
        open: openQuestions(questionsOf(outcome), isAnswered),
        policy: [],
        otherwise:
          "All that could be asked of the reporter has been answered, and it still cannot be settled.",
      });
  }
}

/** There is nothing to ask about a bug that shows, and no brief for it: a person reads what was seen. */
function seenAfterAll(outcome: Outcome, verification: SeenVerification, findings: Findings): Proposal {
  const { evidence, policy } = seenEvidence(verification);
  // The Triage Agent's own words are about a bug that it did not see.
  const stated = { ...findings, summary: "", established: [] };
  const problem =
    "The Triage Agent did not see the problem and proposed to ask about it. Its script shows it all the same.";
  return needsTriage(problem, { ...outcome, questions: [] }, stated, [policy], { type: "seen", ...evidence });
}
