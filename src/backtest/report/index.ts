export { type BacktestItem, type BacktestReport, backtestReport } from "./backtest-report.ts";
export { type Arm, type BacktestComparison, compareBacktests } from "./compare-backtests.ts";
export { describeBacktest, describeComparison, describeDrawn } from "./describe-backtest.ts";
