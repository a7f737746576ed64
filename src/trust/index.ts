export * from "./autonomy/index.ts";
export {
  type Evaluation,
  type EvaluationGroup,
  evaluationGroups,
  type EvaluationRow,
  evaluate,
} from "./evaluate.ts";
export { openTrustLedger, type TrustLedger } from "./trust-ledger.ts";
export { factsOfType, outcomeKey, type TrustFact, type TrustFactOf } from "./trust-fact.ts";
export { groupedBy } from "./grouped-by.ts";
export { median } from "./median.ts";
export * from "./outcome-kind.ts";
export { type CorrectedCase, correctedCases } from "./corrected-cases.ts";
export { ourOutcome, ourOutcomes, type OurOutcome } from "./our-outcome.ts";
export { type PairedCounts, pairedDifference } from "./paired-difference.ts";
export { correctedWilsonInterval, type Interval, wilsonInterval } from "./wilson.ts";
