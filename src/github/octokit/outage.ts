import { RequestError } from "@octokit/request-error";
import { DeadlineExceeded } from "agent-tty/kit";
import { GraphqlFailure } from "./graphql-failure.ts";

/** The limits of waiting while GitHub is unavailable. All values are in milliseconds. */
export interface OutagePatience {
  firstDelayMs: number;
  maxDelayMs: number;
  /** The longest outage that a request waits for, counted from its first failure. */
  patienceMs: number;
}

/** The maximum number of attempts before GitHub has answered once, because until then a wrong URL is as likely as an outage. */
const ATTEMPTS_BEFORE_FIRST_ANSWER = 3;
/** The maximum number of attempts after status 500, which is caused by the request as often as by GitHub. */
const ATTEMPTS_AFTER_500 = 3;

export interface OutageSoFar {
  /** Failed attempts of this request, at least 1. */
  failures: number;
  /** Milliseconds since the first failed attempt. */
  lastedMs: number;
  /** Whether GitHub has answered any request since this process began. */
  hasAnswered: boolean;
}

/**
 * Returns the milliseconds to wait before a repeatable request is sent again; null: the request has failed. Pure. GitHub counts as
 * unavailable when it answers 5xx, when the connection breaks, and when no answer arrives within the request's time limit.
 */
export function outageWaitMs(error: unknown, patience: OutagePatience, so: OutageSoFar): number | null {
  const status = statusSeen(error);
  if (status === null) return null;
  if (!so.hasAnswered && so.failures >= ATTEMPTS_BEFORE_FIRST_ANSWER) return null;
  if (status === 500 && so.failures >= ATTEMPTS_AFTER_500) return null;
  const waitMs = Math.min(patience.firstDelayMs * 2 ** Math.min(so.failures - 1, 30), patience.maxDelayMs);
  return so.lastedMs + waitMs > patience.patienceMs ? null : waitMs;
}

/**
 * Returns the status of a failed request. `lost`: there was no answer. null: GitHub has answered, and a repeated request would
 * not help.
 */
function statusSeen(error: unknown): number | "lost" | null {
  if (error instanceof DeadlineExceeded) return "lost";
  if (error instanceof GraphqlFailure) return error.isPassing ? 500 : null;
  if (!(error instanceof RequestError)) return error instanceof TypeError ? "lost" : null;
  if (error.response === undefined) return "lost";
  return error.status >= 500 ? error.status : null;
}
