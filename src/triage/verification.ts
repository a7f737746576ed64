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

/** What the parent saw itself. The Triage Agent's own claim counts for nothing here. */
export type Verification =
  /** Policy asks for none: not a bug, or no script. */
  | { type: "not-attempted" }
  /** The checkout for the runs could not be prepared: says nothing about the bug. */
  | { type: "impossible"; reason: string }
  | { type: "reproduced"; runs: ReproductionRun[]; reproduction: Reproduction }
  | { type: "flaky"; matchedRuns: number; runs: ReproductionRun[]; reproduction: Reproduction }
  | { type: "not-reproduced"; runs: ReproductionRun[]; reproduction: Reproduction };
