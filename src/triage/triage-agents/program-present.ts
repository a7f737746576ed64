import { type ExecResult, type ReadyWorkspace, shellQuote } from "../../workspaces/index.ts";

const PREFLIGHT_TIMEOUT_MS = 60_000;
const HELP_MAX_BYTES = 256 * 1024;

/** null when the Coder workspace can start `program`, else one sentence with what is missing. */
export async function findProgram(
  workspace: ReadyWorkspace,
  program: string,
  signal: AbortSignal,
): Promise<string | null> {
  const found = await execBounded(workspace, `command -v -- ${shellQuote(program)}`, signal);
  if (found.type === "exited") return found.exitCode === 0 ? null : programMissing(program);
  return `looking for ${program} in the Coder workspace failed: ${found.type}`;
}

export function programMissing(program: string): string {
  return `the Coder workspace has no program ${program} on its PATH`;
}

export function execBounded(
  workspace: ReadyWorkspace,
  commandLine: string,
  signal: AbortSignal,
): Promise<ExecResult> {
  return workspace.exec(commandLine, {
    timeoutMs: PREFLIGHT_TIMEOUT_MS,
    maxOutputBytes: HELP_MAX_BYTES,
    signal,
  });
}
