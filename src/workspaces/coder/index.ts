export { type CoderProviderOptions, createCoderProvider, type TerminalLimits } from "./coder-provider.ts";
export type { CoderTimings } from "./timings.ts";
