export {
  type CoderProviderOptions,
  createCoderProvider,
  createCoderQuestions,
  type TerminalLimits,
} from "./coder-provider.ts";
export { createModelMeter } from "./gateway/index.ts";
export type { CoderQuota } from "./coder-api.ts";
export type { CoderQuestions } from "./preflight.ts";
export type { TokenSource } from "./session-token.ts";
export type { CoderTimings } from "./timings.ts";
