export * from "./autonomy/index.ts";
export * from "./evaluation/index.ts";
export * from "./facts/index.ts";
export * from "./outcome-kind.ts";
export * from "./overrides/index.ts";
export * from "./statistics/index.ts";
