export type BacktestErrorCode =
  /** Git could not cut a checkout of the past. */
  | "BACKTEST_PAST_UNREADABLE"
  /** There is nothing to draw a sample from, or no backtest of that name. */
  | "BACKTEST_EMPTY"
  /** The name belongs to a backtest of another repository, seed or size. */
  | "BACKTEST_DIFFERS";
