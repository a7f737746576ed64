import { OperationalError, type OperationalFailure } from "agent-tty/kit";
import type { WorkspaceErrorCode } from "../port.ts";

/** An operational error with one of the codes of this room. */
export function workspaceError(
  failure: OperationalFailure<WorkspaceErrorCode>,
): OperationalError<WorkspaceErrorCode> {
  return new OperationalError(failure);
}

/** Text of the server or of a program, made safe to print: one line, no control characters, bounded (S10). */
export function printable(text: string, maxLength = 600): string {
  const line = text
    .replaceAll(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]+/g, " ")
    .replaceAll(/ {2,}/g, " ")
    .trim();
  return line.length <= maxLength ? line : `${line.slice(0, maxLength)}…`;
}
