/** The count of a gateway in front of the model for one Triage Run. It is for reports and budgets: no decision rests on it. */
export interface ModelMeter {
  /** Rejects when the gateway could not be read, or does not know these sessions yet. */
  read(question: MeterQuestion, signal: AbortSignal): Promise<MeterReading>;
}

export interface MeterQuestion {
  /** The ids under which the Triage Agent's program talks to its model, as that program tells them. */
  sessions: readonly string[];
  /** Since the epoch: a session that began earlier is another run's, whatever the program says. */
  startedAtMs: number;
}

export interface MeterReading {
  inputTokens: number;
  outputTokens: number;
  /** Estimated by the gateway's list prices; null: it has no price for them, or tells none. */
  usd: number | null;
  /** Network requests that the Agent Firewall denied in these sessions. */
  deniedRequests: number;
}
