export { followedStates, type FollowStatesOptions } from "./follow-states.ts";
export { recogniseTool, type ToolWish } from "./recognise-tool.ts";
export { replayedStates, type ReplayStatesOptions } from "./replay-states.ts";
export { changesOf, type SessionState } from "./session-state.ts";
export { SubmitWatch } from "./submit-watch.ts";
export { toolMark, toolOfCommand, toolOfMark, type TrackedTool } from "./tracked-tool.ts";
