export { type CoderProviderOptions, createCoderProvider } from "./coder-provider.ts";
export { type CoderTimings, DEFAULT_TIMINGS as DEFAULT_CODER_TIMINGS } from "./timings.ts";
