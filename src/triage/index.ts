export * from "./outcome.ts";
export * from "./triage-agent.ts";
export type * from "./verification.ts";
