import type { AlreadyFixed, EvidenceSummary, Range, RegressionTest, SameCause } from "../evidence/index.ts";
import type { Reproduction } from "./outcome.ts";

/** One run of a reproduction by the parent, as a Waited Run in a clean checkout (T8). */
export interface ReproductionRun {
  /** null: the run did not complete within the time limit, or the Session ended. */
  exitCode: number | null;
  timedOut: boolean;
  matched: boolean;
  durationMs: number;
  /** The output of the run, as bounded plain text: the evidence. */
  outputExcerpt: string;
  screenHash: string;
}

/** Whether another issue's reproduction shows the same cause. */
export interface ComparedIssue {
  readonly number: number;
  /** When the reproductions were compared. */
  readonly state: "open" | "closed";
  readonly cause: SameCause;
}

/** Findings in addition to the verdict. They are shown to people and are never part of the decision. */
export interface VerificationInsight {
  /** The commit of the checkout that was run; null: git could not report it. */
  commit: string | null;
  /** Other open issues of the repository whose stored reproductions fail in the same way. */
  sameFailureAs: readonly number[];
  /** The first bad and the first fixed version; null: not searched. */
  range: Range | null;
  /** The reproduction as a test of the repository's own framework; null: not tried. */
  test: RegressionTest | null;
  /** Other issues whose reproductions were compared with this one (D5). */
  compared: readonly ComparedIssue[];
  /** The grade of the runs (V7); null: unknown. */
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

/** The parent's own results. The Triage Agent's claim has no influence on them. */
export type Verification =
  /** Policy requires no verification: not a bug, or no script. */
  | { type: "not-attempted" }
  /** The checkout for the runs could not be prepared, which says nothing about the bug. */
  | { type: "impossible"; reason: string }
  | { type: "reproduced"; runs: ReproductionRun[]; reproduction: Reproduction; insight: VerificationInsight }
  | {
      type: "flaky";
      matchedRuns: number;
      runs: ReproductionRun[];
      reproduction: Reproduction;
      insight: VerificationInsight;
    }
  /** The bug is shown on the reported version but not on the default branch (V5). `runs` are the runs on the default branch. */
  | {
      type: "already-fixed";
      runs: ReproductionRun[];
      reproduction: Reproduction;
      fixed: AlreadyFixed;
      /** null: no regression test was generated. */
      test: RegressionTest | null;
      grade: EvidenceSummary | null;
    }
  /**
   * The runs prove nothing: a control run shows the claim too, the script tampers, or it fails because the machine lacks
   * something, even if that failure shows the claim.
   */
  | {
      type: "unproven";
      /** A clause for people that says why; it may contain text from the product. */
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
