export { type CoderProviderOptions, createCoderProvider, type TerminalLimits } from "./coder-provider.ts";
export type { TokenSource } from "./session-token.ts";
export type { CoderTimings } from "./timings.ts";
