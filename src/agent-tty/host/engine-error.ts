import { OperationalError } from "../kit/index.ts";
import type { HomeErrorCode, SessionStatus } from "../home/index.ts";
import type { CaptureErrorCode } from "../capture/index.ts";
import type { LogErrorCode } from "../log/index.ts";
import type { PtyErrorCode } from "../pty/index.ts";
import type { WaitErrorCode } from "../wait/index.ts";

export type HostErrorCode =
  | "SESSION_NOT_RUNNING"
  | "SESSION_ALREADY_DESTROYED"
  | "INVALID_INPUT"
  | "INPUT_NOT_TAKEN"
  | "NOT_A_SHELL"
  | "RUN_BECAME_SHELL"
  | "DESTROY_TIMED_OUT";

/** Every operational failure of the engine. */
export type EngineErrorCode =
  | PtyErrorCode
  | HomeErrorCode
  | LogErrorCode
  | WaitErrorCode
  | CaptureErrorCode
  | HostErrorCode;

/** Returns the error SESSION_NOT_RUNNING or SESSION_ALREADY_DESTROYED: the Session does not accept commands in its status. */
export function notCommandable(
  sessionId: string,
  status: SessionStatus,
  failure: string | null = null,
): OperationalError<HostErrorCode> {
  const isDestroyed = status === "destroyed";
  return new OperationalError<HostErrorCode>({
    code: isDestroyed ? "SESSION_ALREADY_DESTROYED" : "SESSION_NOT_RUNNING",
    message: `Session ${sessionId} does not accept commands: it is ${status}${failure === null ? "" : ` (${failure})`}`,
    remedy: "create a new Session; snapshot, inspect and export still work on this one",
    details: { sessionId, status },
  });
}

/** Returns the error NOT_A_SHELL: a program other than a POSIX shell is in the foreground. */
export function notAShell(sessionId: string, program: string): OperationalError<HostErrorCode> {
  return new OperationalError<HostErrorCode>({
    code: "NOT_A_SHELL",
    message: `cannot run a command in Session ${sessionId}: ${program} is in the foreground of its terminal and is not a POSIX shell`,
    remedy: "Send it input with `type` and wait for its screen, or end the program first.",
    details: { sessionId, program },
  });
}

/** Returns the error RUN_BECAME_SHELL: the command has started an interactive shell. */
export function becameShell(sessionId: string, program: string): OperationalError<HostErrorCode> {
  return new OperationalError<HostErrorCode>({
    code: "RUN_BECAME_SHELL",
    message: `the command in Session ${sessionId} has started an interactive ${program}, which reads the terminal: it ends when that shell does`,
    remedy: "Further commands run in that shell. Run `exit` to leave it.",
    details: { sessionId, program },
  });
}

/** Returns the error INVALID_INPUT: a value from the caller is out of range. */
export function invalidInput(message: string, remedy: string): OperationalError<HostErrorCode> {
  return new OperationalError<HostErrorCode>({ code: "INVALID_INPUT", message, remedy });
}
