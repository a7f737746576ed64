import type { ReadyWorkspace } from "../../workspaces/index.ts";
import { type ClaudeCodeReport, readClaudeCodeStream } from "./claude-code-stream.ts";

const TAIL_BYTES = 4 * 1024 * 1024;
const READ_TIMEOUT_MS = 30_000;

/**
 * Reads Claude Code's report from the end of the output of `command` in the Coder workspace: the result comes last.
 * Unreadable lines cost the usage, never the outcome. It takes no signal, because the report matters most right after
 * the run was stopped.
 */
export async function readClaudeCodeReport(
  workspace: ReadyWorkspace,
  command: string,
): Promise<ClaudeCodeReport> {
  const read = await workspace.exec(`${command} | tail -c ${TAIL_BYTES}`, {
    timeoutMs: READ_TIMEOUT_MS,
    maxOutputBytes: TAIL_BYTES,
  });
  return readClaudeCodeStream(read.type === "exited" ? Buffer.from(read.stdout).toString("utf8") : "");
}
