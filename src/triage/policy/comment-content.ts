import type { AlreadyFixed, EvidenceSummary, RegressionTest } from "../../evidence/index.ts";
import type { Brief, Outcome, Reproduction } from "../outcome.ts";
import type { ReproductionRun, VerificationInsight } from "../verification.ts";
import type { DuplicateFinding } from "./duplicate-finding.ts";
import type { LabelConflict } from "./label-roles.ts";

/** The content of a comment, one shape per template. All its text is data: the renderer makes it inert. */
export type CommentContent =
  | NeedsInfoContent
  | ReadyForAgentContent
  | ReadyForHumanContent
  | WontfixContent
  /** The issue is closed because both reproductions have the same cause (D6). */
  | { template: "duplicate"; findings: Findings }
  | NeedsTriageContent
  | { template: "conflicting-labels"; conflict: LabelConflict };

export interface NeedsInfoContent {
  template: "needs-info";
  findings: Findings;
  tried: Tried | null;
  /** At least one. */
  questions: readonly string[];
}

export interface ReadyForAgentContent {
  template: "ready-for-agent";
  findings: Findings;
  brief: Brief;
  /** null: an enhancement, which has nothing to reproduce. */
  evidence: Evidence | null;
}

export interface ReadyForHumanContent {
  template: "ready-for-human";
  why:
    | { type: "judgement"; findings: Findings; brief: Brief | null }
    | { type: "proposed-wontfix"; findings: Findings; wontfix: NonNullable<Outcome["wontfix"]> }
    /** The bug shows on the reported version but not on the default branch (V5). */
    | {
        type: "already-fixed";
        findings: Findings;
        fixed: AlreadyFixed;
        test: RegressionTest | null;
        tried: Tried;
      }
    /** A fixed text for a vulnerability report. Nothing from the report or from the Triage Agent is repeated in public (S16). */
    | { type: "security-report" };
}

export interface WontfixContent {
  template: "wontfix";
  findings: Findings;
  reason: string;
}

export interface NeedsTriageContent {
  template: "needs-triage";
  problem: string;
  findings: Findings | null;
  tried: Tried | null;
  questions: readonly string[];
}

export interface Findings {
  summary: string;
  established: readonly string[];
  /** Shown to people. The issue is closed as a duplicate only if the duplicate is proven and the configuration allows it. */
  duplicate: DuplicateFinding | null;
}

/** A reproduction and its result: from the parent's own runs, or only from the Triage Agent's report. */
export type Tried =
  /** The bug showed in all or some of the parent's own runs. */
  | ({ type: "seen" } & Evidence)
  /** The bug showed in none of the parent's own runs. */
  | {
      type: "verified";
      reproduction: Reproduction;
      runs: readonly ReproductionRun[];
      grade: EvidenceSummary | null;
    }
  /** The parent's own runs prove nothing; `reason` says why. */
  | {
      type: "unproven";
      reproduction: Reproduction;
      runs: readonly ReproductionRun[];
      grade: EvidenceSummary;
      reason: string;
    }
  | { type: "reported"; reproduction: Reproduction };

/** The results of the parent's own Session. */
export interface Evidence {
  reproduction: Reproduction;
  runs: readonly ReproductionRun[];
  matchedRuns: number;
  insight: VerificationInsight;
}
