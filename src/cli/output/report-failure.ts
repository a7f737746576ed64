import { messageOf, OperationalError } from "agent-tty/kit";
import { plainText, redactSecrets } from "../../github/index.ts";
import { exitCodeOf } from "../exit-codes.ts";
import type { Output } from "./streams.ts";

/**
 * Prints an error that ended a command: two lines for people, or one JSON line on stderr with `--json`. Returns the exit code.
 */
export function reportFailure(error: unknown, output: Output, asJson: boolean): number {
  const failure =
    error instanceof OperationalError
      ? { code: error.code, message: redactSecrets(error.message), remedy: error.remedy }
      : {
          code: "INTERNAL_ERROR",
          message: redactSecrets(error instanceof Error ? (error.stack ?? error.message) : messageOf(error)),
          remedy: "This is a bug in afk-triage: report it with this message.",
        };
  if (asJson) output.event({ error: failure });
  else
    output.line(`afk-triage: ${failure.code}: ${plainText(failure.message)}\nWhat to do: ${failure.remedy}`);
  return exitCodeOf(failure.code);
}
