import type { AlreadyFixed, EvidenceSummary, Range, RegressionTest, SameCause } from "../evidence/index.ts";
import type { Reproduction } from "./outcome.ts";

/** One run of a reproduction by the parent, as a Waited Run in a clean checkout (T8). */
export interface ReproductionRun {
  /** null when it did not complete within the time limit, or the Session ended. */
  exitCode: number | null;
  timedOut: boolean;
  matched: boolean;
  durationMs: number;
  /** Plain text, bounded: the evidence. */
  outputExcerpt: string;
  screenHash: string;
}

/** Whether another issue's reproduction shows the same cause. */
export interface ComparedIssue {
  readonly number: number;
  readonly cause: SameCause;
}

/** Findings beside the verdict: told to people, never part of the decision. */
export interface VerificationInsight {
  /** The commit of the checkout that was run; null when git could not tell. */
  commit: string | null;
  /** Other open issues of the repository whose stored reproduction fails alike. */
  sameFailureAs: readonly number[];
  /** First bad and first fixed; null: not searched. */
  range: Range | null;
  /** The reproduction as a test of the repository's own framework; null: not tried. */
  test: RegressionTest | null;
  /** Other issues whose reproductions were compared with this one (D5). */
  compared: readonly ComparedIssue[];
  /** The grade of the runs (V7); null when it is not known. */
  grade: EvidenceSummary | null;
}

export const noInsight: VerificationInsight = {
  commit: null,
  sameFailureAs: [],
  range: null,
  test: null,
  compared: [],
  grade: null,
};

/** The parent's own results. The Triage Agent's claim counts for nothing here. */
export type Verification =
  /** Policy asks for none: not a bug, or no script. */
  | { type: "not-attempted" }
  /** The checkout for the runs could not be prepared: says nothing about the bug. */
  | { type: "impossible"; reason: string }
  | { type: "reproduced"; runs: ReproductionRun[]; reproduction: Reproduction; insight: VerificationInsight }
  | {
      type: "flaky";
      matchedRuns: number;
      runs: ReproductionRun[];
      reproduction: Reproduction;
      insight: VerificationInsight;
    }
  /** Shown on the reported version and not on the default branch, whose runs these are (V5). */
  | {
      type: "already-fixed";
      runs: ReproductionRun[];
      reproduction: Reproduction;
      fixed: AlreadyFixed;
      /** null: none was made. */
      test: RegressionTest | null;
      grade: EvidenceSummary | null;
    }
  /**
   * Runs that prove nothing: a control shows the claim too, the script tampers, or it fails for want of something that the machine
   * lacks, whether it shows its claim by that or not.
   */
  | {
      type: "unproven";
      /** A clause for people that says why; the product's words may be in it. */
      reason: string;
      runs: ReproductionRun[];
      reproduction: Reproduction;
      grade: EvidenceSummary;
    }
  | {
      type: "not-reproduced";
      runs: ReproductionRun[];
      reproduction: Reproduction;
      grade: EvidenceSummary | null;
    };
