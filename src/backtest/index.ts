export type { BacktestErrorCode } from "./backtest-error.ts";
export { openPastRepository } from "./past/index.ts";
export * from "./report/index.ts";
export * from "./run/index.ts";
export type { MaintainerOutcome } from "./maintainer-outcome.ts";
