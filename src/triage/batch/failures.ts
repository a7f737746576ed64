import { DeadlineExceeded, OperationalError } from "agent-tty/kit";
import { redactSecrets } from "../../github/index.ts";
import { writeDuration } from "../../notation/index.ts";
import type { TriageErrorCode } from "./triage-error.ts";

/** Why the parent ended a Triage Run before its own end: the reason of the stop signal. */
export class StopRequested extends Error {
  override readonly name = "StopRequested";
  /** `stopped` or `batch-deadline`. */
  readonly reason: string;
  constructor(reason: string) {
    super(`the Triage Batch is stopping: ${reason}`);
    this.reason = reason;
  }
}

/** S13: an issue may be deleted or moved between any two requests; that is not a failure. */
export function isIssueGone(error: unknown): boolean {
  return error instanceof OperationalError && error.code === "GITHUB_ISSUE_GONE";
}

/** `issue-transferred`, `issue-deleted` or `issue-not-found` where GitHub said which. */
export function goneReasonOf(error: unknown): string {
  const reason = error instanceof OperationalError ? error.details["reason"] : undefined;
  return typeof reason === "string" ? `issue-${reason}` : "issue-gone";
}

/** The word by which the summary names a failure, such as `workspace-lost`. */
export function failureReason(error: unknown): string {
  if (error instanceof OperationalError) return error.code.toLowerCase().replaceAll("_", "-");
  if (isSystemFailure(error)) return "home-failed";
  return error instanceof DeadlineExceeded ? "run-deadline" : "internal-error";
}

/** A full or failing disk, a directory taken away, too many open files: Node's errors of system calls name the call. */
function isSystemFailure(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "syscall" in error && "errno" in error;
}

/** Code, message and remedy of a failure for the summary; the message holds no token-shaped strings. */
export function describeFailure(error: unknown): { code: string; message: string; remedy: string } {
  if (error instanceof OperationalError) {
    return { code: error.code, message: redactSecrets(error.message), remedy: error.remedy };
  }
  if (error instanceof DeadlineExceeded) {
    return {
      code: "RUN_DEADLINE",
      message: `${error.attempted} did not finish within ${writeDuration(error.durationMs)}`,
      remedy: "Raise --run-deadline (runDeadline), or look at the recording for what it waited for.",
    };
  }
  if (isSystemFailure(error)) {
    return {
      code: "HOME_FAILED" satisfies TriageErrorCode,
      message: redactSecrets(error.message),
      remedy:
        "Check that the home of the machine that runs the batch is still there, is writable and has space, and its limit of open files.",
    };
  }
  return {
    code: "RUN_INTERNAL_ERROR",
    message: redactSecrets(error instanceof Error ? (error.stack ?? error.message) : String(error)),
    remedy: "This is a bug in afk-triage: report it with this message.",
  };
}

/** No answer came: what was asked for may have happened. */
export function isOutage(error: unknown): boolean {
  return error instanceof OperationalError && error.code === "GITHUB_UNREACHABLE";
}

/** The wait that GitHub's rate limit asks for, in milliseconds; null: it asks for none. What it refused did not happen. */
export function askedWaitMs(error: unknown): number | null {
  const isLimited = error instanceof OperationalError && error.code === "GITHUB_RATE_LIMITED";
  const waitMs = isLimited ? error.details["waitMs"] : null;
  return typeof waitMs === "number" ? waitMs : null;
}
