import type { Brief, Outcome } from "../outcome.ts";
import type { Verification } from "../verification.ts";
import type { Evidence, Findings } from "./comment-content.ts";
import type { PolicyCode } from "./decision.ts";
import { openQuestions, questionsOf } from "./open-questions.ts";
import { fixedProposal } from "./fixed-proposal.ts";
import { needsInfo, needsTriage, type Proposal } from "./proposal.ts";
import { seenEvidence } from "./seen-evidence.ts";

/**
 * Returns the proposal for an outcome ready-for-agent. For a bug, only the parent's own runs count, never the Triage Agent's
 * claim (policy 2).
 */
export function decideReadyForAgent(
  outcome: Outcome,
  verification: Verification,
  findings: Findings,
  isAnswered: (question: string) => boolean,
): Proposal {
  const incomplete = (problem: string): Proposal =>
    needsTriage(problem, outcome, findings, ["incomplete-outcome"]);
  const { brief } = outcome;
  if (brief === null)
    return incomplete("The Triage Agent proposed that the issue is ready for work, but gave no brief.");
  if (outcome.category === "enhancement") return ready(brief, findings, null, []);
  switch (verification.type) {
    case "reproduced":
    case "flaky": {
      const { evidence, policy } = seenEvidence(verification);
      return ready(brief, findings, evidence, [policy]);
    }
    case "already-fixed":
      return fixedProposal(verification, findings);
    case "not-reproduced":
      return notReproduced(outcome, verification, findings, isAnswered);
    case "unproven":
      return unproven(outcome, verification, findings);
    case "impossible":
      // This result says nothing about the bug, so the reporter is asked nothing. The issue is triaged again after the cooldown.
      return needsTriage(`The reproduction could not be checked: ${verification.reason}`, outcome, findings, [
        "verification-impossible",
      ]);
    case "not-attempted":
      return incomplete(
        "The Triage Agent proposed that the issue is ready for work, but gave no reproduction script to check.",
      );
  }
}

/**
 * Returns the proposal for a bug that was not reproduced. The comment has no brief; it says what was tried and exactly what is
 * needed (A32).
 */
function notReproduced(
  outcome: Outcome,
  verification: Extract<Verification, { type: "not-reproduced" }>,
  findings: Findings,
  isAnswered: (question: string) => boolean,
): Proposal {
  const { reproduction, runs, grade } = verification;
  // The Triage Agent's summary says that it saw the bug, which would mislead the reporter.
  const summary = `The problem did not show in any of ${runs.length} clean runs of the reproduction.`;
  return needsInfo({
    findings: { ...findings, summary, established: [] },
    tried: { type: "verified", reproduction, runs, grade },
    open: openQuestions(questionsOf(outcome), isAnswered),
    policy: ["reproduction-not-verified"],
    otherwise: "The reporter has answered every question, and the problem could still not be reproduced.",
  });
}

/**
 * Returns the proposal for a result that says nothing about the bug. The reporter is asked nothing, and a person reads what was
 * tried.
 */
function unproven(
  outcome: Outcome,
  { reproduction, runs, grade, reason }: Extract<Verification, { type: "unproven" }>,
  findings: Findings,
): Proposal {
  const tried = { type: "unproven", reproduction, runs, grade, reason } as const;
  const problem = "The reproduction that was proposed does not prove the bug.";
  return needsTriage(problem, outcome, findings, ["reproduction-unproven"], tried);
}

function ready(brief: Brief, findings: Findings, evidence: Evidence | null, policy: PolicyCode[]): Proposal {
  const comment = { template: "ready-for-agent", findings, brief, evidence } as const;
  return { state: "ready-for-agent", close: null, policy, comment };
}
