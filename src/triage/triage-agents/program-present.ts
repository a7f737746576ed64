import type { ExecResult, ReadyWorkspace } from "../../workspaces/index.ts";

const PREFLIGHT_TIMEOUT_MS = 60_000;
const HELP_MAX_BYTES = 256 * 1024;

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
