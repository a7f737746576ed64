export type BacktestErrorCode =
  /** The repository could not be fetched, so no issue was begun. */
  | "BACKTEST_REPOSITORY_UNREADABLE"
  /** Git could not create a checkout of the past. */
  | "BACKTEST_PAST_UNREADABLE"
  /** There are no issues from which to draw a sample, or no backtest has that name. */
  | "BACKTEST_EMPTY"
  /** The name belongs to a backtest of another repository, seed or size. */
  | "BACKTEST_DIFFERS";
