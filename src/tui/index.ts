export * from "./claude-code/index.ts";
