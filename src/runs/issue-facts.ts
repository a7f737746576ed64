import { z } from "zod";
/** The facts of a Triage Run's issue at the start of the run; null where an older version did not record them. */
export interface IssueFacts {
  /** Untrusted text in which strings that look like tokens are masked. */
  readonly title: string;
  readonly url: string;
  /**
   * The time since which the issue has waited for this run, in milliseconds since the epoch: its opening, or the answer to our
   * question. null: unknown.
   */
  readonly waitingSinceMs: number | null;
}

/** The result of a run, reported before the batch itself has ended. */
export interface ResultFacts {
  readonly category: string | null;
  readonly commentUrl: string | null;
  readonly usage: RunUsage;
  /** The rules that decided, in order. An older version did not record them. */
  readonly policy?: readonly string[] | undefined;
  /** The grade of the parent's own runs (V7); null when the parent made no runs, or when an older version did not record it. */
  readonly evidence?: EvidenceFacts | null | undefined;
  /** The time at which its Coder workspace, kept for inspection, is destroyed, in milliseconds since the epoch. */
  readonly keptUntilMs?: number | null | undefined;
}

/** The grade of a verification as short texts, in the same form as in the batch summary (V7). */
export const evidenceFactsSchema = z
  .object({
    verdict: z.string(),
    /** The number of real runs that show the claim, of all real runs: `3/3`. */
    runs: z.string(),
    /** The number of control runs that also show the claim, of all control runs that could be made: `0/4`. */
    controls: z.string(),
    place: z.enum(["fresh", "same"]),
    firstBad: z.string().nullable(),
    firstFixed: z.string().nullable(),
    test: z.string().nullable(),
  })
  .readonly();

export type EvidenceFacts = z.infer<typeof evidenceFactsSchema>;

/** The usage of a run; all values are 0 when the Triage Agent does not report its usage. */
export interface RunUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly usd: number;
}
