export { makePlan } from "./make-plan.ts";
export { type BacktestPlan, readPlan, sampleDifference, savePlan } from "./plan.ts";
export { readItems, runBacktest } from "./run-backtest.ts";
