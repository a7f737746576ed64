import { closeSync } from "node:fs";
import { OperationalError } from "agent-tty/kit";
import type { CliErrorCode } from "./exit-codes.ts";

export interface LostOutput {
  /** Waits until all of stdout is written. Resolves with the error to report if a part of it was lost, else with null. */
  settle(): Promise<OperationalError<CliErrorCode> | null>;
}

/**
 * Lets the work continue when output cannot be written (the reader closed the pipe, the disk is full, the terminal is gone):
 * every Coder workspace must still be deleted (T5).
 */
export function tolerateLostOutput(): LostOutput {
  let lost: NodeJS.ErrnoException | null = null;
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    // EPIPE is not an error: a reader that closed the pipe, such as `head`, needs no more output.
    if (error.code !== "EPIPE") lost ??= error;
  });
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", ({ code }: NodeJS.ErrnoException) => {
      if (code === "EIO" && !process.listeners("exit").includes(leaveTerminal))
        process.once("exit", leaveTerminal);
    });
  }
  return {
    settle: async () => {
      // A failed write is reported a few ticks later.
      await new Promise<void>((resolve) => process.stdout.write("", () => setImmediate(resolve)));
      return lost === null ? null : outputLost(lost);
    },
  };
}

/**
 * Closes the standard descriptors. Otherwise Node resets the terminal when it exits, and aborts if that fails because the
 * terminal is gone.
 */
function leaveTerminal(): void {
  for (const descriptor of [0, 1, 2]) {
    try {
      closeSync(descriptor);
    } catch {
      // The descriptor was already closed.
    }
  }
}

function outputLost(cause: NodeJS.ErrnoException): OperationalError<CliErrorCode> {
  return new OperationalError({
    code: "OUTPUT_LOST",
    message: `write the answer to stdout: ${cause.message}. The work itself was completed.`,
    remedy:
      "Redirect stdout to a place with free space. `afk-triage list` and `afk-triage show` show what a batch did.",
    cause,
  });
}
