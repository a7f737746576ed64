export {
  type Evaluation,
  type EvaluationGroup,
  evaluationGroups,
  type EvaluationRow,
  evaluate,
} from "./evaluate.ts";
