export {
  type AnswerGiven,
  type AskedQuestion,
  askedQuestions,
  isAnswered,
  type ResumptionFacts,
} from "./asked-questions.ts";
export { establishedFacts } from "./established-facts.ts";
export { questionKey } from "./question-key.ts";
export { questionsRecord } from "./questions-record.ts";
