export { answerDialog, type DialogAnswer } from "./dialog-policy.ts";
export { driveTurn } from "./drive-turn.ts";
export { planStep } from "./plan-step.ts";
export { type BlockCause, type Step, TURN_TIMINGS, type TurnFacts, type TurnTimings } from "./turn-step.ts";
export type { TuiTurn, TuiTurnEnd } from "./tui-turn.ts";
