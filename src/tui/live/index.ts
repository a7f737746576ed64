export { answerShownDialog, type ChosenAnswer } from "./answer-dialog.ts";
export {
  type LiveObservation,
  type LiveTracker,
  type LiveTrackerOptions,
  startLiveTracker,
} from "./live-tracker.ts";
export {
  isTaken,
  type PromptSubmit,
  submitDraft,
  submitPrompt,
  type SubmitTimings,
} from "./submit-prompt.ts";
export { trackedStates } from "./tracked-states.ts";
export { sourceOfFollowedScreen, sourceOfSession, type TuiInput, type TuiSource } from "./tui-source.ts";
