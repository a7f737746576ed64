import { DeadlineExceeded, OperationalError } from "agent-tty/kit";
import { redactSecrets } from "../../github/index.ts";
import { writeDuration } from "../../notation/index.ts";
import type { TriageErrorCode } from "./triage-error.ts";

/** The abort reason of a stop signal: why the parent ended a Triage Run early. */
export class StopRequested extends Error {
  override readonly name = "StopRequested";
  /** `stopped` or `batch-deadline`. */
  readonly reason: string;
  constructor(reason: string) {
    super(`the Triage Batch is stopping: ${reason}`);
    this.reason = reason;
  }
}

/**
 * Returns whether the error says that the issue was deleted or moved. This may happen between any two requests and is not a
 * failure (S13).
 */
export function isIssueGone(error: unknown): boolean {
  return error instanceof OperationalError && error.code === "GITHUB_ISSUE_GONE";
}

/** Returns `issue-transferred`, `issue-deleted` or `issue-not-found` if GitHub said which, otherwise `issue-gone`. */
export function goneReasonOf(error: unknown): string {
  const reason = error instanceof OperationalError ? error.details["reason"] : undefined;
  return typeof reason === "string" ? `issue-${reason}` : "issue-gone";
}

/** Returns the summary's word for a failure, such as `workspace-lost`. */
export function failureReason(error: unknown): string {
  if (error instanceof OperationalError) return error.code.toLowerCase().replaceAll("_", "-");
  if (isSystemFailure(error)) return "home-failed";
  return error instanceof DeadlineExceeded ? "run-deadline" : "internal-error";
}

/**
 * Returns whether the error is one of Node's system errors, which name the system call. Examples are a full or failing disk, a
 * removed directory, and too many open files.
 */
function isSystemFailure(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "syscall" in error && "errno" in error;
}

/** Returns code, message and remedy of a failure for the summary; the message contains no token-shaped strings. */
export function describeFailure(error: unknown): { code: string; message: string; remedy: string } {
  if (error instanceof OperationalError) {
    return { code: error.code, message: redactSecrets(error.message), remedy: error.remedy };
  }
  if (error instanceof DeadlineExceeded) {
    return {
      code: "RUN_DEADLINE",
      message: `${error.attempted} did not finish within ${writeDuration(error.durationMs)}`,
      remedy: "Raise --run-deadline (runDeadline), or find out from the recording what it was waiting for.",
    };
  }
  if (isSystemFailure(error)) {
    return {
      code: "HOME_FAILED" satisfies TriageErrorCode,
      message: redactSecrets(error.message),
      remedy:
        "Check that the home on the machine that runs the batch still exists, is writable and has free space, and check the limit on open files (ulimit -n).",
    };
  }
  return {
    code: "RUN_INTERNAL_ERROR",
    message: redactSecrets(error instanceof Error ? (error.stack ?? error.message) : String(error)),
    remedy: "This is a bug in afk-triage: report it with this message.",
  };
}

/** Returns whether GitHub sent no answer. The request may have taken effect all the same. */
export function isOutage(error: unknown): boolean {
  return error instanceof OperationalError && error.code === "GITHUB_UNREACHABLE";
}

/**
 * Returns the wait that GitHub's rate limit asks for, in milliseconds; null: it asks for none. The refused request had no effect.
 */
export function askedWaitMs(error: unknown): number | null {
  const isLimited = error instanceof OperationalError && error.code === "GITHUB_RATE_LIMITED";
  const waitMs = isLimited ? error.details["waitMs"] : null;
  return typeof waitMs === "number" ? waitMs : null;
}
