export * from "./budget.ts";
export * from "./spend-ledger.ts";
export * from "./total-spend.ts";
