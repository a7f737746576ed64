import { RequestError } from "@octokit/request-error";
import { z } from "zod";
import { serverTimeMs } from "./server-time.ts";

export interface RateLimitPatience {
  /** The longest wait in milliseconds; a request that needs a longer one fails with GITHUB_RATE_LIMITED. */
  maxRateLimitWaitMs: number;
}

const MINIMUM_WAIT_MS = 60_000;

/**
 * How long GitHub asks us to wait after a 403, a 422, a 429 or GraphQL's RATE_LIMITED, in milliseconds: `retry-after`; else until
 * `x-ratelimit-reset` when nothing remains, by the clock of the answer, or by `nowMs` where it tells none; else, for a limit
 * without these, a minute, doubled each time. Null when it is no rate limit.
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
    // GitHub tells its clock in whole seconds: one second more.
    const githubMs = serverTimeMs(headers) ?? nowMs;
    return Number.isFinite(resetMs) ? Math.max(0, resetMs - githubMs) + 1_000 : MINIMUM_WAIT_MS;
  }
  return isLimited ? MINIMUM_WAIT_MS * 2 ** earlierWaits : null;
}

type Headers = Readonly<Record<string, string | number | undefined>>;

/** The answer to a request that GitHub may have limited. `isLimited`: it has, also where no header says how long. */
function limitedAnswer(error: unknown): { headers: Headers; isLimited: boolean } | null {
  // GraphQL's limit has the status 200; the throttling plugin makes this error of it.
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
