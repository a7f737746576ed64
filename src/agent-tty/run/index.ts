export { type FilteredPiece, MarkFilter } from "./mark-filter.ts";
export type { Mark } from "./marks.ts";
export { isKnownNoShell } from "./no-shell.ts";
export { OutputFilter } from "./output-filter.ts";
export { integratedShell, plainShell, type ShellDialect } from "./shell-dialect.ts";
export { shellIntegrationScript } from "./shell-integration.ts";
export type { EventRange, RunOptions, WaitedRunResult, WaitOptions } from "./waited-run.ts";
export { WaitedRuns } from "./waited-runs.ts";
export { zshIntegrationScript } from "./zsh-integration.ts";
