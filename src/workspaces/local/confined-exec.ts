import { constants } from "node:os";
import type { Clock } from "agent-tty/kit";
import { type ProcessEnd, runBounded } from "../bounded-process.ts";
import type { ExecOptions, ExecResult } from "../port.ts";

export interface ConfinedCommand {
  command: readonly [string, ...string[]];
  cwd: string;
  env: Record<string, string>;
}

const DEFAULT_MAX_OUTPUT_BYTES = 10 * 1024 ** 2;
const TERMINATION_GRACE_MS = 500;

/** Runs one bounded command inside a local Coder workspace and resolves with its result. Rejects only with the signal's reason. */
export async function confinedExec(
  command: ConfinedCommand,
  options: ExecOptions,
  clock: Clock,
): Promise<ExecResult> {
  const maxOutputBytes = options.maxOutputBytes ?? DEFAULT_MAX_OUTPUT_BYTES;
  const limits = { maxOutputBytes, terminationGraceMs: TERMINATION_GRACE_MS };
  const end = await runBounded({ ...command, ...options, ...limits }, clock);
  switch (end.type) {
    case "exited":
      return { type: "exited", exitCode: exitCodeOf(end), stdout: end.stdout, stderr: end.stderr };
    case "timed-out":
      return end;
    case "silent":
      return { type: "timed-out", stderr: end.stderr };
    case "output-too-large":
      return { type: "output-too-large", limitBytes: maxOutputBytes };
    case "not-started":
      return { type: "transport-lost", message: end.message };
  }
}

/** Returns the exit code that a shell would report. */
function exitCodeOf({ exitCode, signalName }: Extract<ProcessEnd, { type: "exited" }>): number {
  if (exitCode !== null) return exitCode;
  return 128 + (signalName === null ? 0 : constants.signals[signalName]);
}
