import { RequestError } from "@octokit/request-error";
import { z } from "zod";
import { serverTimeMs } from "./server-time.ts";

export interface RateLimitPatience {
  /** The longest wait in milliseconds; a request that needs a longer one fails with GITHUB_RATE_LIMITED. */
  maxRateLimitWaitMs: number;
}

const MINIMUM_WAIT_MS = 60_000;

/**
 * Returns how long GitHub asks us to wait after a 403, a 422, a 429 or GraphQL's RATE_LIMITED, in milliseconds; null when it is no
 * rate limit. The wait is `retry-after`; otherwise the time until `x-ratelimit-reset` when nothing remains, by the clock of the
 * answer, or by `nowMs` if the answer has none; otherwise, for a limit without these headers, a minute, doubled each time.
 * https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api
 */
export function rateLimitWaitMs(error: unknown, earlierWaits: number, nowMs: number): number | null {
  const limited = limitedAnswer(error);
  if (limited === null) return null;
  const { headers, isLimited } = limited;
  const retryAfterSeconds = Number(headers["retry-after"] ?? Number.NaN);
  if (Number.isFinite(retryAfterSeconds)) return Math.max(0, retryAfterSeconds) * 1_000;
  if (String(headers["x-ratelimit-remaining"]) === "0") {
    const resetMs = Number(headers["x-ratelimit-reset"]) * 1_000;
    // GitHub reports its clock in whole seconds, so one second is added.
    const githubMs = serverTimeMs(headers) ?? nowMs;
    return Number.isFinite(resetMs) ? Math.max(0, resetMs - githubMs) + 1_000 : MINIMUM_WAIT_MS;
  }
  return isLimited ? MINIMUM_WAIT_MS * 2 ** earlierWaits : null;
}

type Headers = Readonly<Record<string, string | number | undefined>>;

/**
 * Returns the headers of an answer that GitHub may have limited; null for any other error. `isLimited`: GitHub has limited the
 * request, even if no header says for how long.
 */
function limitedAnswer(error: unknown): { headers: Headers; isLimited: boolean } | null {
  // GraphQL's limit has the status 200; the throttling plugin makes this error from it.
  const graphql = limitedGraphql.safeParse(error);
  if (graphql.success) return { headers: graphql.data.response.headers, isLimited: true };
  if (!(error instanceof RequestError)) return null;
  const { status, message } = error;
  // The limit on new comments can also be a failed validation.
  const isTooQuick = status === 422 && /was submitted too quickly/i.test(message);
  if (status !== 403 && status !== 429 && !isTooQuick) return null;
  const isLimited = isTooQuick || status === 429 || /secondary rate limit|abuse detection/i.test(message);
  return { headers: error.response?.headers ?? {}, isLimited };
}

const limitedGraphql = z.object({
  response: z.object({
    headers: z.record(z.string(), z.union([z.string(), z.number(), z.undefined()])),
    data: z.object({
      errors: z
        .array(z.object({ type: z.string().optional() }))
        .refine((errors) => errors.some(({ type }) => type === "RATE_LIMITED")),
    }),
  }),
});
