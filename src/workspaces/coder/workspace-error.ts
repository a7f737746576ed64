import { OperationalError, type OperationalFailure } from "agent-tty/kit";
import type { WorkspaceErrorCode } from "../port.ts";

/** Returns an operational error with one of the codes of this folder. */
export function workspaceError(
  failure: OperationalFailure<WorkspaceErrorCode>,
): OperationalError<WorkspaceErrorCode> {
  return new OperationalError(failure);
}

/**
 * Returns text of the server or of a program in a form that is safe to print (S10): one line, no control characters, at most
 * `maxLength` characters.
 */
export function printable(text: string, maxLength = 600): string {
  const line = text
    .replaceAll(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]+/g, " ")
    .replaceAll(/ {2,}/g, " ")
    .trim();
  return line.length <= maxLength ? line : `${line.slice(0, maxLength)}…`;
}
