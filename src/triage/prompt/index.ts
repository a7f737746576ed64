export * from "./render-prompt.ts";
