import type { ReadyWorkspace } from "../../workspaces/index.ts";
import { type ClaudeCodeReport, readClaudeCodeStream } from "./claude-code-stream.ts";

const TAIL_BYTES = 4 * 1024 * 1024;
const READ_TIMEOUT_MS = 30_000;
/**
 * Keeps only the data that is counted: the lines of the model's messages and of the result, without the messages' content.
 * Otherwise, the output of tools would push earlier messages out of the tail that is read.
 */
const COUNTED = [
  `grep -aE '"type": ?"(assistant|result)"'`,
  String.raw`sed -E 's/"content": ?\[.*\], ?"stop_reason"/"content":[],"stop_reason"/'`,
].join(" | LC_ALL=C ");

/**
 * Returns Claude Code's report from the lines that `command` prints in the Coder workspace. If lines are unreadable, the usage is
 * missing, but the outcome is not lost. It takes no signal of the run, because the report matters most right after the run was
 * stopped.
 */
export async function readClaudeCodeReport(
  workspace: ReadyWorkspace,
  command: string,
  signal?: AbortSignal,
): Promise<ClaudeCodeReport> {
  const read = await workspace.exec(`${command} | LC_ALL=C ${COUNTED} | tail -c ${TAIL_BYTES}`, {
    timeoutMs: READ_TIMEOUT_MS,
    maxOutputBytes: TAIL_BYTES,
    ...(signal === undefined ? {} : { signal }),
  });
  if (read.type !== "exited") return { ...readClaudeCodeStream(""), isCostMissing: true };
  return readClaudeCodeStream(Buffer.from(read.stdout).toString("utf8"));
}
