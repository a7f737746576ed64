export { claudeCodeProfiles } from "./profiles.ts";
export { type ClaudeScreen, readClaudeScreen } from "./claude-screen.ts";
export { type ClaudeCodeTurnEnd, driveClaudeCodeTurn } from "./drive-turn.ts";
export { planStep, type Step, TURN_TIMINGS, type TurnFacts, type TurnTimings } from "./plan-step.ts";
