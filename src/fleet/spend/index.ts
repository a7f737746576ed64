export * from "./budget.ts";
export * from "./spend-ledger.ts";
