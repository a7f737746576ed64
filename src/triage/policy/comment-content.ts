import type { AlreadyFixed, EvidenceSummary, RegressionTest } from "../../evidence/index.ts";
import type { Brief, Outcome, Reproduction } from "../outcome.ts";
import type { ReproductionRun, VerificationInsight } from "../verification.ts";
import type { DuplicateFinding } from "./duplicate-finding.ts";
import type { LabelConflict } from "./label-roles.ts";

/** The content of a comment, one shape per template. All text in it is data: the renderer makes it inert. */
export type CommentContent =
  | NeedsInfoContent
  | ReadyForAgentContent
  | ReadyForHumanContent
  | WontfixContent
  /** D6: closed because both reproductions show one cause. */
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
  /** null: an enhancement, nothing to reproduce. */
  evidence: Evidence | null;
}

export interface ReadyForHumanContent {
  template: "ready-for-human";
  why:
    | { type: "judgement"; findings: Findings; brief: Brief | null }
    | { type: "proposed-wontfix"; findings: Findings; wontfix: NonNullable<Outcome["wontfix"]> }
    /** V5: shown on the reported version, not on the default branch. */
    | {
        type: "already-fixed";
        findings: Findings;
        fixed: AlreadyFixed;
        test: RegressionTest | null;
        tried: Tried;
      }
    /** S16: fixed words only; nothing of the report or of the Triage Agent is repeated in public. */
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
  /** Told to people; acted on only when it is proven and configured. */
  duplicate: DuplicateFinding | null;
}

/** A reproduction and what came of it: by the parent's own runs, or only by the Triage Agent's account. */
export type Tried =
  /** The bug showed, in all of the parent's own runs or in some. */
  | ({ type: "seen" } & Evidence)
  /** It showed in none of them. */
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
