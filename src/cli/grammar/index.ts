export { completionScript, type CompletionShell, completionShells } from "./completion-script.ts";
export { acceptJson, groupByTask, refuseEmptyHomes } from "./shared-grammar.ts";
export { helpAsFlag, refuseUnknownCommand } from "./unknown-command.ts";
export * from "./flag-parsers.ts";
