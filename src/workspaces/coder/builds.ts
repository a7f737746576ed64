import { messageOf, OperationalError } from "agent-tty/kit";
import type { WorkspaceErrorCode } from "../port.ts";
import { explain, unexpectedAnswer } from "./coder-answer.ts";
import type { CoderApi } from "./coder-api.ts";
import type { CoderContext } from "./coder-context.ts";

/** How failures that may pass are waited for while a Coder workspace is stopped or deleted. */
export interface Patience {
  /** Told what was seen, in words, each time. */
  onSeen: (seen: string) => void;
  /** A token that is renewed from outside may still be: then being logged out is waited for, too. */
  mayPass: WorkspaceErrorCode | null;
  pause: () => Promise<void>;
}

/**
 * How a deployment that is away is waited for. A login that ended may pass only where the token can be read again.
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

/** Waits until the caller's deadline for a deployment that is away for longer than one request is retried. */
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

/** Asks for a build. False when none was started for certain: another build is active, or the next look will tell. */
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
  // 404 and 410: gone meanwhile; 409: a build is active; 5xx: unknown. The next look decides all of them.
  if (answer.status === 404 || answer.status === 410 || answer.status === 409 || answer.status >= 500) {
    onSeen(explain(answer));
    return false;
  }
  throw unexpectedAnswer(`${transition} the Coder workspace ${id}`, answer);
}
