/** The limits of what the board keeps in memory and serves at once. */
export interface BoardLimits {
  /** Concurrent readers of the change stream. */
  changeReaders: number;
  /** Concurrently watched terminals. */
  terminalReaders: number;
  /** Expensive documents, such as recordings and state series, computed concurrently; each may take some tens of MB. */
  heavyReads: number;
  bodyBytes: number;
  runsPerPage: number;
  batchesPerPage: number;
  /** Changes kept for readers that are slightly behind; others read the log. */
  keptChanges: number;
  heartbeatMs: number;
  /** The interval between two derivations of the values that change with time, in milliseconds. */
  rederiveMs: number;
}

export const boardLimits: BoardLimits = {
  changeReaders: 32,
  terminalReaders: 32,
  heavyReads: 2,
  // 64 Ki characters, each at most six bytes of JSON.
  bodyBytes: 512 * 1024,
  runsPerPage: 1_000,
  batchesPerPage: 200,
  keptChanges: 1_000,
  heartbeatMs: 15_000,
  rederiveMs: 1_000,
};
