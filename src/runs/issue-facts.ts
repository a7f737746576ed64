/** What is known of a Triage Run's issue when the run begins; null where an older program did not note it. */
export interface IssueFacts {
  /** Untrusted text, token-shaped strings masked. */
  readonly title: string;
  readonly url: string;
  /** When it began to wait for this run: its opening, or the answer to our question; null where that is not known. */
  readonly waitingSinceMs: number | null;
}

/** What a run came to, as its batch told it before the batch itself had ended. */
export interface ResultFacts {
  readonly category: string | null;
  readonly commentUrl: string | null;
  readonly usage: RunUsage;
  /** The rules that decided, in order; an older program did not note them. */
  readonly policy?: readonly string[] | undefined;
}

/** Zeros when the Triage Agent does not tell. */
export interface RunUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly usd: number;
}
