export { ansiScreen } from "./ansi-screen.ts";
export { ignoredInterrupts } from "./ignored-interrupts.ts";
export { labelMoments, type LabelRules, type Transition } from "./label-moments.ts";
export type { Meaning, Moment } from "./moment.ts";
export { playRecording, type Played, trackerEvents } from "./play.ts";
export { type Prediction, predictionOf } from "./prediction.ts";
export { readRecording, type Recording, type RecordingEvent } from "./recording.ts";
export { type Fault, faultsOf, isOneOf, scoreCells, type ScoredCell } from "./score-cells.ts";
export { count, missedThresholds, quantile, summarise, type TrackingSummary } from "./summary.ts";
export {
  type Label,
  READY_LABELS,
  readTruth,
  resultSchema,
  type Result,
  type Truth,
  type TruthInterval,
} from "./truth.ts";
export { type ScoredEnd, scoreTurnEnds } from "./turn-ends.ts";
export { truthDocument } from "./truth-document.ts";
