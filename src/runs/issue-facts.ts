import { z } from "zod";
/** The facts of a Triage Run's issue at the start of the run; null where an older version did not record them. */
export interface IssueFacts {
  /** Untrusted text with token-shaped strings masked. */
  readonly title: string;
  readonly url: string;
  /**
   * The time since which the issue waits for this run: its opening, or the answer to our question. null if unknown.
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
  /** The grade of the parent's own runs (V7); null when it made none, or when an older program did not record it. */
  readonly evidence?: EvidenceFacts | null | undefined;
  /** Since the epoch, in milliseconds: when its Coder workspace, kept for inspection, is destroyed. */
  readonly keptUntilMs?: number | null | undefined;
}

/** The grade of a verification in short texts, as in the summary of its batch (V7). */
export const evidenceFactsSchema = z
  .object({
    verdict: z.string(),
    /** Runs that show the claim, of all real runs: `3/3`. */
    runs: z.string(),
    /** Control runs that show it too, of those that could be made: `0/4`. */
    controls: z.string(),
    place: z.enum(["fresh", "same"]),
    firstBad: z.string().nullable(),
    firstFixed: z.string().nullable(),
    test: z.string().nullable(),
  })
  .readonly();

export type EvidenceFacts = z.infer<typeof evidenceFactsSchema>;

/** Zeros when the Triage Agent does not report its usage. */
export interface RunUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly usd: number;
}
