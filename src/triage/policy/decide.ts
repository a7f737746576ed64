import type { Issue } from "../../github/index.ts";
import type { DuplicateCandidate } from "../../duplicates/index.ts";
import type { Outcome } from "../outcome.ts";
import type { Verification } from "../verification.ts";
import { duplicateFinding } from "./duplicate-finding.ts";
import type { Findings } from "./comment-content.ts";
import { decideNeedsInfo } from "./decide-needs-info.ts";
import { decideReadyForAgent } from "./decide-ready-for-agent.ts";
import type { Decision, PolicyCode } from "./decision.ts";
import type { LabelConflict } from "./label-roles.ts";
import { type IsAnswered, openQuestions } from "./open-questions.ts";
import { needsInfo, needsTriage, type Proposal, reported } from "./proposal.ts";
import {
  looksLikeSecurityReport,
  proposesSecurityReport,
  showsSecurityReport,
  writesSecurityReport,
} from "./security-report.ts";

export interface DecisionFacts {
  issue: Issue;
  outcome: Outcome;
  verification: Verification;
  /**
   * The likely duplicates that were offered to the Triage Agent (D2), and whether a proven duplicate is closed (D6). Absent: none
   * was offered and none is closed, which is the safe default.
   */
  duplicates?: DuplicateChoice | undefined;
}

export interface DuplicateChoice {
  /** The earlier issues that the Triage Agent could choose from. */
  offered: readonly DuplicateCandidate[];
  closesProven: boolean;
}

const NO_DUPLICATES: DuplicateChoice = { offered: [], closesProven: false };

/**
 * Returns the decision on an outcome that passed the schema, by policy 1–3 and the rules for vulnerabilities (S16). Total: every
 * outcome gets a decision, and the Triage Agent only proposes. Answered questions are not asked again. The inputs of the security
 * decision have no defaults, because a forgotten input would count as safe.
 */
export function decide(
  { issue, outcome, verification, duplicates = NO_DUPLICATES }: DecisionFacts,
  isAnswered: IsAnswered,
  reporterComments: readonly string[],
): Decision {
  const unstated: PolicyCode[] = outcome.security.level === "unstated" ? ["security-unstated"] : [];
  const isSecurityReport =
    looksLikeSecurityReport(issue, reporterComments) ||
    proposesSecurityReport(outcome) ||
    showsSecurityReport(verification);
  if (isSecurityReport) return securityReport(outcome.category, unstated);
  const duplicate = duplicateFinding({ issue, outcome, verification, offered: duplicates.offered });
  const findings = {
    summary: outcome.summary,
    established: outcome.established,
    duplicate: duplicate.finding,
  };
  // The bug shows today: closing its report is right only while another open issue stands for it.
  const isClosed =
    duplicates.closesProven && duplicate.finding?.proof != null && duplicate.finding.state === "open";
  const decision = isClosed
    ? closedDuplicate(findings)
    : propose(outcome, verification, findings, isAnswered);
  return {
    category: outcome.category,
    close: decision.close,
    labels: "set",
    state: decision.state,
    comment: decision.comment,
    policy: [...unstated, ...decision.policy, ...duplicatePolicy(duplicate)],
    ...(isClosed && duplicate.finding !== null ? { canonical: duplicate.finding.number } : {}),
  };
}

export interface NoOutcomeFacts {
  issue: Issue;
  /** Why there is no outcome; may quote what the Triage Agent wrote. */
  problem: string;
  /** The text that the Triage Agent wrote instead of an outcome; empty when it wrote nothing, or something that is not text. */
  wrote: string;
}

/**
 * Returns the decision when the Triage Agent left no valid outcome: the issue stays needs-triage, with notes that say why (A31).
 * Text that reads like a vulnerability report is treated as it would be in an outcome (S16), because notes may quote it.
 */
export function decideWithoutOutcome(
  { issue, problem, wrote }: NoOutcomeFacts,
  reporterComments: readonly string[],
): Decision {
  if (looksLikeSecurityReport(issue, reporterComments) || writesSecurityReport(wrote))
    return securityReport(null, ["no-valid-outcome"]);
  return {
    state: "needs-triage",
    category: null,
    close: null,
    labels: "set",
    policy: ["no-valid-outcome"],
    comment: { template: "needs-triage", problem, findings: null, tried: null, questions: [] },
  };
}

/**
 * Returns the decision for a report whose own text is recognised as a vulnerability report (S16). No Triage Agent runs, and the
 * category stays undecided.
 */
export function decideSecurityReport(): Decision {
  return securityReport(null);
}

/**
 * Returns the decision for conflicting labels, before any Triage Agent runs (policy 4). A comment names the conflicting labels;
 * no label is removed or added.
 */
export function decideConflictingLabels(conflict: LabelConflict): Decision {
  return {
    state: "needs-info",
    category: null,
    close: null,
    labels: "leave",
    policy: ["conflicting-labels"],
    comment: { template: "conflicting-labels", conflict },
  };
}

/** Returns whether the parent has to run the script itself before `decide` (policy 2). */
export function needsVerification(outcome: Outcome): boolean {
  const { category, confidence, reproduction } = outcome;
  const isReadyBug = category === "bug" && outcome.outcome === "ready-for-agent";
  return (
    isReadyBug && confidence !== "low" && outcome.brief !== null && (reproduction?.script ?? null) !== null
  );
}

/**
 * Returns whether the parent should run the script on the reported version, because the Triage Agent did not see the bug on the
 * default branch (V5). This needs a script and a condition that says how the bug shows.
 */
export function mayBeFixed({ category, confidence, outcome, reproduction }: Outcome): boolean {
  const isUnseenBug = category === "bug" && outcome === "needs-info" && confidence !== "low";
  return isUnseenBug && reproduction?.script != null && reproduction.expect !== null;
}

function propose(
  outcome: Outcome,
  verification: Verification,
  findings: Findings,
  isAnswered: IsAnswered,
): Proposal {
  if (outcome.outcome === "needs-triage") {
    return needsTriage("The issue could not be decided without a maintainer.", outcome, findings, []);
  }
  if (outcome.confidence === "low") return lowConfidence(outcome, findings, isAnswered);
  switch (outcome.outcome) {
    case "needs-info":
      return decideNeedsInfo(outcome, verification, findings, isAnswered);
    case "ready-for-agent":
      return decideReadyForAgent(outcome, verification, findings, isAnswered);
    case "ready-for-human": {
      const why = { type: "judgement", findings, brief: outcome.brief } as const;
      return {
        state: "ready-for-human",
        close: null,
        policy: [],
        comment: { template: "ready-for-human", why },
      };
    }
    case "wontfix":
      return wontfix(outcome, findings);
  }
}

/** Returns the proposal for an outcome of low confidence: it asks the reporter, or leaves notes (policy 1). */
function lowConfidence(outcome: Outcome, findings: Findings, isAnswered: IsAnswered): Proposal {
  return needsInfo({
    findings,
    tried: reported(outcome),
    open: openQuestions(outcome.questions, isAnswered),
    policy: ["low-confidence"],
    otherwise: "The findings are too uncertain to act on.",
  });
}

/**
 * Returns the proposal for an outcome wontfix (policy 3, V12). Only a bug is closed, and only at high confidence with at least
 * one established fact. Every other proposal to decline is left to a person.
 */
function wontfix(outcome: Outcome, findings: Findings): Proposal {
  const { wontfix } = outcome;
  if (wontfix === null) {
    return needsTriage("The Triage Agent proposed to decline this, but gave no reason.", outcome, findings, [
      "incomplete-outcome",
    ]);
  }
  if (outcome.category === "enhancement") {
    const why = { type: "proposed-wontfix", findings, wontfix } as const;
    const comment = { template: "ready-for-human", why } as const;
    return { state: "ready-for-human", close: null, policy: ["enhancement-wontfix"], comment };
  }
  if (outcome.confidence !== "high" || !outcome.established.some((fact) => fact.trim() !== "")) {
    const why = { type: "proposed-wontfix", findings, wontfix } as const;
    const comment = { template: "ready-for-human", why } as const;
    return { state: "ready-for-human", close: null, policy: ["bug-wontfix-uncertain"], comment };
  }
  const comment = { template: "wontfix", findings, reason: wontfix.reason } as const;
  return { state: "wontfix", close: "not_planned", policy: ["bug-wontfix"], comment };
}

function securityReport(category: Outcome["category"] | null, policy: PolicyCode[] = []): Decision {
  return {
    state: "ready-for-human",
    category,
    close: null,
    labels: "set",
    policy: [...policy, "security-report"],
    comment: { template: "ready-for-human", why: { type: "security-report" } },
  };
}

function closedDuplicate(findings: Findings): Proposal {
  return { state: "wontfix", close: "duplicate", policy: [], comment: { template: "duplicate", findings } };
}

function duplicatePolicy({ finding, isRefused }: ReturnType<typeof duplicateFinding>): PolicyCode[] {
  const refused: PolicyCode[] = isRefused ? ["duplicate-not-offered"] : [];
  if (finding === null) return refused;
  return [...refused, finding.proof === null ? "possible-duplicate" : "proven-duplicate"];
}
