import { messageOf, OperationalError } from "agent-tty/kit";
import type { WorkspaceErrorCode } from "../port.ts";
import { explain, unexpectedAnswer } from "./coder-answer.ts";
import type { CoderApi } from "./coder-api.ts";
import type { CoderContext } from "./coder-context.ts";

/** How to wait, while a Coder workspace is stopped or deleted, for failures that may pass. */
export interface Patience {
  /** Called for each failure with a description of what was seen. */
  onSeen: (seen: string) => void;
  /**
   * The error code of an ended login, if the token may still be renewed from outside; then the wait covers that failure, too.
   * null: it does not.
   */
  mayPass: WorkspaceErrorCode | null;
  pause: () => Promise<void>;
}

/**
 * Returns the patience for a deployment that is not reachable. An ended login may pass only if the token can be read again from
 * its source.
 */
export function patienceOf(
  { clock, timings, token }: CoderContext,
  signal: AbortSignal,
  onSeen: (seen: string) => void,
): Patience {
  return {
    onSeen,
    mayPass: token.source.type === "environment" ? null : "CODER_LOGGED_OUT",
    pause: () => clock.sleep(timings.deleteRetryMs, signal),
  };
}

/**
 * Resolves with the answer to a request. While the deployment is unreachable for longer than the request's own retries last, the
 * request is repeated, until the caller's deadline.
 */
export async function patiently<Answer>(
  ask: () => Promise<Answer>,
  { onSeen, mayPass, pause }: Patience,
): Promise<Answer> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      const code = error instanceof OperationalError ? error.code : null;
      const isPassing = code === "CODER_UNREACHABLE" || code === "CODER_RATE_LIMITED";
      const isWaitedFor = mayPass !== null && code === mayPass;
      if (!isPassing && !isWaitedFor) throw error;
      onSeen(messageOf(error));
      if (isWaitedFor) await pause();
    }
  }
}

/**
 * Requests a build. Resolves with true if a build was certainly started. Resolves with false if another build is active, or if
 * only the next read of the Coder workspace shows whether one was started.
 */
export async function startBuild(
  api: CoderApi,
  id: string,
  transition: "stop" | "delete",
  onSeen: (seen: string) => void,
): Promise<boolean> {
  const attempt = await api.startBuild(id, transition);
  if (attempt.type === "passing") {
    onSeen(attempt.seen);
    return false;
  }
  const { answer } = attempt;
  if ([200, 201].includes(answer.status)) return true;
  // 404 and 410: the Coder workspace is gone; 409: a build is active; 5xx: unknown. In all of these cases the next read decides.
  if (answer.status === 404 || answer.status === 410 || answer.status === 409 || answer.status >= 500) {
    onSeen(explain(answer));
    return false;
  }
  throw unexpectedAnswer(`${transition} the Coder workspace ${id}`, answer);
}
