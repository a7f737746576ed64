import { RequestError } from "@octokit/request-error";
import { serverTimeMs } from "./server-time.ts";

export interface RateLimitPatience {
  /** A longer wait is refused with GITHUB_RATE_LIMITED. */
  maxRateLimitWaitMs: number;
}

const MINIMUM_WAIT_MS = 60_000;

/**
 * How long GitHub asks us to wait after a 403 or 429, in milliseconds: `retry-after`; else until `x-ratelimit-reset` when nothing
 * remains, by the clock of the answer, or by `nowMs` where it tells none; else, for a secondary limit, a minute, doubled each time.
 * Null when it is no rate limit.
 * https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api
 */
export function rateLimitWaitMs(error: unknown, earlierWaits: number, nowMs: number): number | null {
  if (!(error instanceof RequestError) || (error.status !== 403 && error.status !== 429)) return null;
  const headers = error.response?.headers ?? {};
  const retryAfterSeconds = Number(headers["retry-after"] ?? Number.NaN);
  if (Number.isFinite(retryAfterSeconds)) return Math.max(0, retryAfterSeconds) * 1_000;
  if (String(headers["x-ratelimit-remaining"]) === "0") {
    const resetMs = Number(headers["x-ratelimit-reset"]) * 1_000;
    // GitHub tells its clock in whole seconds: one second more.
    const githubMs = serverTimeMs(headers) ?? nowMs;
    return Number.isFinite(resetMs) ? Math.max(0, resetMs - githubMs) + 1_000 : MINIMUM_WAIT_MS;
  }
  const isSecondary = error.status === 429 || /secondary rate limit|abuse detection/i.test(error.message);
  return isSecondary ? MINIMUM_WAIT_MS * 2 ** earlierWaits : null;
}
