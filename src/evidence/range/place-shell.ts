import { type Clock, OperationalError, shellQuote } from "agent-tty/kit";
import type { ReadyWorkspace, WorkspaceErrorCode } from "../../workspaces/index.ts";

/** A place with a pristine checkout, in which a search runs commands. */
export interface PlaceShell {
  workspace: ReadyWorkspace;
  /** The directory of the place; `pristine` below it is the checkout. */
  directory: string;
  signal: AbortSignal;
  /** Milliseconds until the caller's deadline, at least 1. */
  remainingMs: () => number;
}

/** A place for a search that takes minutes. */
export interface SearchShell extends PlaceShell {
  clock: Clock;
  /** Shows people what the search does now, as one line without a period. */
  tell: (step: string) => void;
}

export interface Answer {
  exitCode: number;
  stdout: string;
}

const MAX_BYTES = 8 * 1024 ** 2;

/**
 * Runs bash lines in the place's directory. null: they did not end within `limitMs`, or printed too much. Rejects with
 * WORKSPACE_LOST or the signal's reason.
 */
export async function ask(
  lines: readonly string[],
  shell: PlaceShell,
  limitMs: number,
): Promise<Answer | null> {
  const { workspace, directory, signal, remainingMs } = shell;
  const commandLine = [`cd -- ${shellQuote(directory)} || exit 90`, ...lines].join("\n");
  const timeoutMs = Math.max(1, Math.min(limitMs, remainingMs()));
  const result = await workspace.exec(commandLine, { timeoutMs, maxOutputBytes: MAX_BYTES, signal });
  signal.throwIfAborted();
  if (result.type === "transport-lost")
    throw new OperationalError<WorkspaceErrorCode>({
      code: "WORKSPACE_LOST",
      message: `search the range of a bug: the connection to the Coder workspace was lost: ${result.message}`,
      remedy: "Nothing was published; the next batch tries the issue again.",
    });
  if (result.type !== "exited") return null;
  return { exitCode: result.exitCode, stdout: Buffer.from(result.stdout).toString() };
}
