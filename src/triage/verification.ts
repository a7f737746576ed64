import type { EvidenceSummary } from "../evidence/index.ts";
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

/** What the parent learned beside the verdict: told to people, never part of the decision. */
export interface VerificationInsight {
  /** Of the checkout that was run; null when git could not tell. */
  commit: string | null;
  /** Other open issues of the repository whose stored reproduction fails alike. */
  sameFailureAs: readonly number[];
  firstBad: FirstBad;
  /** What the runs are worth (V7); null: not told. */
  grade: EvidenceSummary | null;
}

export type FirstBad =
  | { type: "not-searched" }
  /** `isExact` is false when commits beside it could not be tested. `subject` is untrusted text. */
  | { type: "found"; commit: string; subject: string; isExact: boolean }
  /** `reason`: a sentence for people. */
  | { type: "not-found"; reason: string };

export const noInsight: VerificationInsight = {
  commit: null,
  sameFailureAs: [],
  firstBad: { type: "not-searched" },
  grade: null,
};

/** What the parent saw itself. The Triage Agent's own claim counts for nothing here. */
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
  | { type: "not-reproduced"; runs: ReproductionRun[]; reproduction: Reproduction };
