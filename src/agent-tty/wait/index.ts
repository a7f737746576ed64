export type { RenderWaitCondition, RenderWaitResult } from "./render-wait.ts";
