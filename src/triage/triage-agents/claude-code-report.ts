import type { ReadyWorkspace } from "../../workspaces/index.ts";
import { type ClaudeCodeReport, readClaudeCodeStream } from "./claude-code-stream.ts";

const TAIL_BYTES = 4 * 1024 * 1024;
const READ_TIMEOUT_MS = 30_000;

/**
 * What Claude Code told, from the end of what `command` prints in the Coder workspace: the result comes last. Lines that
 * cannot be read cost the usage, never the outcome. Without a signal: it is wanted most when the run was just stopped.
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
