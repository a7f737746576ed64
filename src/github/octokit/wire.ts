import type { Octokit } from "@octokit/rest";
import { type Clock, raceSignal, startDeadline } from "agent-tty/kit";
import type { z } from "zod";
import { redactSecrets } from "../secrets.ts";
import { type RateLimitPatience, rateLimitWaitMs } from "./rate-limit.ts";
import { githubError, rateLimited, unexpected } from "./wire-errors.ts";

export interface WireOptions extends RateLimitPatience {
  octokit: Octokit;
  clock: Clock;
  apiUrl: string;
  token: string;
  requestTimeoutMs: number;
  log?: (line: string) => void;
}

export interface WireRequest {
  /** For messages, e.g. `read the comments of o/r#1`. */
  attempted: string;
  /** `GET /repos/{owner}/{repo}` */
  route: string;
  parameters: Record<string, unknown>;
  signal: AbortSignal;
  /** Asking twice is the same as asking once, so that a lost answer may be asked for again. */
  isRepeatable: boolean;
}

export interface WireAnswer {
  status: number;
  data: unknown;
  headers: Readonly<Record<string, string | number | undefined>>;
}

/** One request and its answer, with time limit, patience for rate limits, and our errors. Redirects are answers. */
export interface Wire {
  send(request: WireRequest): Promise<WireAnswer>;
  /** An answer the schema describes; anything else is GITHUB_UNEXPECTED_ANSWER. */
  parse<Value>(request: WireRequest, answer: WireAnswer, schema: z.ZodType<Value>): Value;
}

const MAX_RATE_LIMIT_WAITS = 5;

export function createWire(options: WireOptions): Wire {
  const { octokit, clock, apiUrl, token } = options;
  const withoutToken = (text: string): string =>
    redactSecrets(token === "" ? text : text.replaceAll(token, "[redacted secret]"));

  const sendOnce = async (request: WireRequest): Promise<WireAnswer> => {
    const deadline = startDeadline(
      clock,
      `to ${request.attempted}`,
      options.requestTimeoutMs,
      request.signal,
    );
    try {
      deadline.signal.throwIfAborted();
      const sent = octokit.request(request.route, {
        ...request.parameters,
        request: { signal: deadline.signal, ...(request.isRepeatable ? {} : { retries: 0 }) },
      });
      return (await raceSignal(sent, deadline.signal)) as WireAnswer;
    } finally {
      deadline[Symbol.dispose]();
    }
  };

  const send = async (request: WireRequest): Promise<WireAnswer> => {
    for (let waits = 0; ; waits += 1) {
      try {
        return await sendOnce(request);
      } catch (error) {
        request.signal.throwIfAborted();
        const failure = { attempted: request.attempted, apiUrl, withoutToken, cause: error };
        const waitMs = rateLimitWaitMs(error, waits, clock.nowMs());
        if (waitMs === null) throw githubError(failure);
        if (waitMs > options.maxRateLimitWaitMs || waits >= MAX_RATE_LIMIT_WAITS)
          throw rateLimited(failure, waitMs);
        options.log?.(`GitHub's rate limit: waiting ${Math.ceil(waitMs / 1_000)} s to ${request.attempted}`);
        await clock.sleep(waitMs, request.signal);
      }
    }
  };

  return {
    send,
    parse: (request, answer, schema) => {
      const parsed = schema.safeParse(answer.data);
      if (parsed.success) return parsed.data;
      const [issue] = parsed.error.issues;
      const type = answer.headers["content-type"] ?? "no content type";
      const seen = `status ${answer.status}, ${type}, ${issue?.path.join(".") || "the answer"}: ${issue?.message ?? ""}`;
      throw unexpected({ attempted: request.attempted, apiUrl, withoutToken, cause: parsed.error }, seen);
    },
  };
}

/** Statuses that say the issue is not there (any more), and what each means. */
export function goneReason(status: number): "transferred" | "not-found" | "deleted" | null {
  if (status >= 300 && status < 400) return "transferred";
  if (status === 404) return "not-found";
  return status === 410 ? "deleted" : null;
}
