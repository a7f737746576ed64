export { type ClaudeScreen, readClaudeScreen } from "./claude-screen.ts";
export type { Choices, Dialog } from "./choices.ts";
export { type ClaudeCodeTurn, type ClaudeCodeTurnEnd, driveClaudeCodeTurn } from "./drive-turn.ts";
export {
  planStep,
  type Step,
  TURN_TIMINGS,
  type TurnFacts,
  type TurnPhase,
  type TurnTimings,
} from "./plan-step.ts";
