import type { Outcome } from "../outcome.ts";
import type { Verification } from "../verification.ts";
import type { Findings } from "./comment-content.ts";
import { fixedProposal } from "./fixed-proposal.ts";
import { type IsAnswered, openQuestions, questionsOf } from "./open-questions.ts";
import { needsInfo, needsTriage, type Proposal, reported } from "./proposal.ts";
import { seenEvidence, type SeenVerification } from "./seen-evidence.ts";

/**
 * Returns the proposal for an outcome with which the Triage Agent wants to ask the reporter. The results of the parent's own runs
 * of its script take precedence (policy 2), also those on the reported version (V5).
 */
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
        otherwise: "The reporter has answered every question, and the issue still cannot be decided.",
      });
  }
}

/**
 * Returns the proposal for a bug that the parent's own runs show. There is nothing to ask, but there is no brief for it either. A
 * person reads the evidence and decides.
 */
function seenAfterAll(outcome: Outcome, verification: SeenVerification, findings: Findings): Proposal {
  const { evidence, policy } = seenEvidence(verification);
  // The Triage Agent's own text is about a bug that it did not see, so it is dropped.
  const stated = { ...findings, summary: "", established: [] };
  const problem =
    "The Triage Agent did not see the problem and proposed to ask about it, but its script shows the problem.";
  return needsTriage(problem, { ...outcome, questions: [] }, stated, [policy], { type: "seen", ...evidence });
}
