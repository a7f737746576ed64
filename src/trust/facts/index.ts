export { openTrustLedger, type TrustLedger } from "./trust-ledger.ts";
export { factsOfType, type TrustFact, type TrustFactOf } from "./trust-fact.ts";
