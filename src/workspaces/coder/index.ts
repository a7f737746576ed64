export { type CoderProviderOptions, createCoderProvider } from "./coder-provider.ts";
export type { CoderTimings } from "./timings.ts";
