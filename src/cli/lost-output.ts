import { closeSync } from "node:fs";
import { OperationalError } from "agent-tty/kit";
import type { CliErrorCode } from "./exit-codes.ts";

export interface LostOutput {
  /** Once all of stdout is written: the error to report when a part of it was lost, else null. */
  settle(): Promise<OperationalError<CliErrorCode> | null>;
}

/**
 * Output that cannot be written (the reader went away, the disk is full, the terminal is gone) ends the output, not the work: every
 * Coder workspace of it must still be deleted (T5).
 */
export function tolerateLostOutput(): LostOutput {
  let lost: NodeJS.ErrnoException | null = null;
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    // A reader that went away, such as `head`, wants no more.
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
      // A stream tells of a failed write a few ticks later.
      await new Promise<void>((resolve) => process.stdout.write("", () => setImmediate(resolve)));
      return lost === null ? null : outputLost(lost);
    },
  };
}

/** Node resets a terminal when it exits, and aborts when that fails because the terminal is gone. */
function leaveTerminal(): void {
  for (const descriptor of [0, 1, 2]) {
    try {
      closeSync(descriptor);
    } catch {
      // It was closed before.
    }
  }
}

function outputLost(cause: NodeJS.ErrnoException): OperationalError<CliErrorCode> {
  return new OperationalError({
    code: "OUTPUT_LOST",
    message: `write the answer to stdout: ${cause.message}. The work itself went on to its end.`,
    remedy:
      "Write stdout where there is room. `afk-triage list` and `afk-triage show` tell what a batch did.",
    cause,
  });
}
