/**
 * The usage counted by a gateway in front of the model for one Triage Run. It is for reports and budgets: no decision rests on
 * it.
 */
export interface ModelMeter {
  /** Rejects if the gateway could not be read, or does not know these sessions yet. */
  read(question: MeterQuestion, signal: AbortSignal): Promise<MeterReading>;
}

export interface MeterQuestion {
  /** The ids under which the Triage Agent's program talks to its model, as that program reports them. */
  sessions: readonly string[];
  /**
   * The start of the run, in milliseconds since the epoch. A session that began earlier belongs to another run, even if the
   * program reports it.
   */
  startedAtMs: number;
}

export interface MeterReading {
  inputTokens: number;
  outputTokens: number;
  /** The cost estimated by the gateway's list prices; null: it has no price for these sessions, or reports none. */
  usd: number | null;
  /** Network requests that the Agent Firewall denied in these sessions. */
  deniedRequests: number;
}
