/** All waits and limits of the adapter, in milliseconds unless the value is a count. Tests shorten them. */
export interface CoderTimings {
  requestTimeoutMs: number;
  /** How long passing failures (429, 5xx, no connection) of an idempotent request are retried. */
  retryForMs: number;
  /** The same until the deployment has answered for the first time, which a wrong address never does. */
  firstAnswerMs: number;
  retryFirstDelayMs: number;
  retryMaxDelayMs: number;
  /** The age after which a create reads the template again, because another version may be active by now. */
  planFreshMs: number;
  /** Together with the waits between them, this is two and a half minutes: as patient as the other requests. */
  createAttempts: number;
  /** The interval between two creates of this parent: a Coder deployment checks quotas one after the other (Coder 2.39). */
  createIntervalMs: number;
  /** The interval between two reads of a Coder workspace whose create was not answered. */
  settleMs: number;
  pollMs: number;
  pendingLimitMs: number;
  buildLimitMs: number;
  /** Added to the Coder workspace agent's own connection timeout. */
  connectMarginMs: number;
  startupLimitMs: number;
  /** How long a claimed prebuild may report `ready` without having started again before the report is believed. */
  claimSettleMs: number;
  shellAttempts: number;
  shellRetryMs: number;
  shellTimeoutMs: number;
  /** How long a connection to a Coder workspace may take until its first byte. */
  connectTimeoutMs: number;
  /** The first and the longest wait between two repeats of a lost exchange with a Coder workspace; the wait doubles. */
  exchangeFirstDelayMs: number;
  exchangeMaxDelayMs: number;
  cliTimeoutMs: number;
  /** The time for the CLI to close its connection, between SIGTERM and SIGKILL. */
  cliGraceMs: number;
  /** The limit of the stop of the Triage Agent's Coder workspace, before the parent verifies in another one. */
  stopLimitMs: number;
  deleteLimitMs: number;
  deleteAttempts: number;
  deleteRetryMs: number;
  /** Added to the run deadline for the server-side ttl, which stops only those Coder workspaces that nobody deletes. */
  ttlMarginMs: number;
  /** Added to the run deadline for the lease, because publishing and deleting come after it. More than `ttlMarginMs`. */
  leaseMarginMs: number;
}

export const DEFAULT_TIMINGS: CoderTimings = {
  requestTimeoutMs: 30_000,
  retryForMs: 120_000,
  firstAnswerMs: 10_000,
  retryFirstDelayMs: 1000,
  retryMaxDelayMs: 30_000,
  planFreshMs: 5 * 60_000,
  createAttempts: 10,
  createIntervalMs: 200,
  settleMs: 2000,
  pollMs: 1500,
  pendingLimitMs: 10 * 60_000,
  buildLimitMs: 30 * 60_000,
  connectMarginMs: 60_000,
  startupLimitMs: 20 * 60_000,
  claimSettleMs: 20_000,
  shellAttempts: 30,
  shellRetryMs: 2000,
  shellTimeoutMs: 60_000,
  connectTimeoutMs: 45_000,
  exchangeFirstDelayMs: 500,
  exchangeMaxDelayMs: 15_000,
  cliTimeoutMs: 20_000,
  cliGraceMs: 5000,
  stopLimitMs: 5 * 60_000,
  deleteLimitMs: 10 * 60_000,
  deleteAttempts: 4,
  deleteRetryMs: 5000,
  ttlMarginMs: 15 * 60_000,
  leaseMarginMs: 30 * 60_000,
};
