export { checkCondition, refuseStabilityOffline, type WaitErrorCode } from "./condition.ts";
export { matchRenderWait, type RenderWaitMatch } from "./match.ts";
export type { RenderWaitCondition, RenderWaitResult } from "./render-wait.ts";
export { RenderWaits } from "./render-waits.ts";
