import { RequestError } from "@octokit/request-error";
import { DeadlineExceeded } from "agent-tty/kit";

/** How long GitHub's being away is waited for. All in milliseconds. */
export interface OutagePatience {
  firstDelayMs: number;
  maxDelayMs: number;
  /** The longest outage of one request, from its first failure on. */
  patienceMs: number;
}

/** Before GitHub has answered anything, a wrong address is as likely as an outage: so many attempts, and no more. */
const ATTEMPTS_BEFORE_FIRST_ANSWER = 3;
/** A bare 500 is about the request as often as about GitHub. */
const ATTEMPTS_AFTER_500 = 3;

export interface OutageSoFar {
  /** Failed attempts of this request, at least 1. */
  failures: number;
  /** Since the first of them. */
  lastedMs: number;
  /** GitHub has answered something since this process began. */
  hasAnswered: boolean;
}

/**
 * Pure: the wait before a request that may be repeated is sent again; null: it has failed. GitHub is away when it answers 502, 503
 * or 504, when the connection breaks, and when no answer comes within the time limit of a request.
 */
export function outageWaitMs(error: unknown, patience: OutagePatience, so: OutageSoFar): number | null {
  const status = statusSeen(error);
  if (status === null) return null;
  if (!so.hasAnswered && so.failures >= ATTEMPTS_BEFORE_FIRST_ANSWER) return null;
  if (status === 500 && so.failures >= ATTEMPTS_AFTER_500) return null;
  const waitMs = Math.min(patience.firstDelayMs * 2 ** Math.min(so.failures - 1, 30), patience.maxDelayMs);
  return so.lastedMs + waitMs > patience.patienceMs ? null : waitMs;
}

/** `lost`: no answer at all. null: GitHub has answered, and asking again changes nothing. */
function statusSeen(error: unknown): number | "lost" | null {
  if (error instanceof DeadlineExceeded) return "lost";
  if (!(error instanceof RequestError)) return error instanceof TypeError ? "lost" : null;
  if (error.response === undefined) return "lost";
  return error.status >= 500 ? error.status : null;
}
