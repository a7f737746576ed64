import { OperationalError } from "agent-tty/kit";

export type ControlErrorCode =
  /** The other end speaks another version or sends malformed messages. */
  | "CONTROL_VIOLATION"
  /** The parent disconnected, or did not answer in time, after it had received the call. */
  | "CONTROL_LOST"
  /** The parent cannot serve its socket in the home. */
  | "CONTROL_UNAVAILABLE";

/** Returns CONTROL_VIOLATION for a malformed or unexpected message. */
export function controlViolation(seen: string): OperationalError<ControlErrorCode> {
  return new OperationalError({
    code: "CONTROL_VIOLATION",
    message: `control a Triage Run of another process: ${seen}`,
    remedy: "Use the same version of afk-triage as the process that runs the batch.",
  });
}

/** Returns CONTROL_LOST for a call that was never answered. */
export function controlLost(seen: string, cause?: unknown): OperationalError<ControlErrorCode> {
  return new OperationalError({
    code: "CONTROL_LOST",
    message: `control a Triage Run of another process: ${seen}`,
    remedy:
      "Look at the run with `afk-triage status`. If its parent is dead, clean up with `afk-triage reap`.",
    cause,
  });
}

/** Returns CONTROL_UNAVAILABLE for a socket that cannot be served in `directory`. */
export function controlUnavailable(directory: string, seen: string): OperationalError<ControlErrorCode> {
  return new OperationalError({
    code: "CONTROL_UNAVAILABLE",
    message: `serve the control socket in ${directory}: ${seen}`,
    remedy: "The batch continues, but stop, kill, send and attach of other processes cannot reach it.",
    details: { directory },
  });
}
