import type { ExecResult, ReadyWorkspace } from "../../workspaces/index.ts";

const PREFLIGHT_TIMEOUT_MS = 60_000;
const HELP_MAX_BYTES = 256 * 1024;

/** Returns the message for a program that is missing where the Triage Agent works: in the Coder workspace, or on this machine. */
export function programMissing(program: string): string {
  return `there is no program ${program} on its PATH`;
}

/** Runs a command line of a preflight check, with limits on its time and output. */
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
