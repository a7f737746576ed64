export * from "./outcome.ts";
export * from "./triage-agent.ts";
export * from "./triage-agents/index.ts";
export * from "./verification.ts";
export * from "./audit/index.ts";
export * from "./batch/index.ts";
export * from "./checkpoint.ts";
export * from "./checkpoint-library.ts";
export * from "./comment/index.ts";
export * from "./eligibility/index.ts";
export * from "./build-issue-file.ts";
export * from "./labels.ts";
export * from "./outcome-reader/index.ts";
export * from "./policy/index.ts";
export * from "./render-prompt.ts";
export * from "./publication/index.ts";
export * from "./quarantine/index.ts";
export * from "./reproductions/index.ts";
export * from "./resumption/index.ts";
export * from "./snapshot-hash.ts";
export * from "./package-folder.ts";
export * from "./template.ts";
export {
  hasSuggested,
  planUndo,
  type UndoFacts,
  type UndoPlan,
  type UndoRefusal,
  type UndoStep,
} from "./plan-undo.ts";
export * from "./batch-log/index.ts";
