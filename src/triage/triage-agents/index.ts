export type { ClaudeCodeOptions } from "./claude-code-command.ts";
export { createClaudeCodePrintAgent } from "./claude-code-print.ts";
export { type ClaudeCodeReport, readClaudeCodeStream } from "./claude-code-stream.ts";
export { createClaudeCodeTuiAgent } from "./claude-code-tui.ts";
export { createCommandAgent } from "./command-agent.ts";
export { programMissing } from "./program-present.ts";
export { type TokenLimit, tokensOf } from "./token-limit.ts";
export { processGroupFile } from "./launch-script.ts";
