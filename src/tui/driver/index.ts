export { answerDialog, type DialogAnswer } from "./dialog-policy.ts";
export { driveTurn } from "./drive-turn.ts";
export { planStep, type Step, TURN_TIMINGS, type TurnFacts, type TurnTimings } from "./plan-step.ts";
export type { BlockCause, TuiTurn, TuiTurnEnd } from "./tui-turn.ts";
