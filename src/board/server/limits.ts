/** Everything the board holds is bounded. */
export interface BoardLimits {
  /** Readers of the change stream at once. */
  changeReaders: number;
  /** Terminals watched at once. */
  terminalReaders: number;
  /** Recordings and state series worked out at once: each may hold some tens of MB. */
  heavyReads: number;
  bodyBytes: number;
  runsPerPage: number;
  batchesPerPage: number;
  /** Changes kept for readers that are a little behind; those further behind read the log. */
  keptChanges: number;
  heartbeatMs: number;
  /** Between two looks at what changes by the passing of time alone. */
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
  rederiveMs: 2_000,
};
