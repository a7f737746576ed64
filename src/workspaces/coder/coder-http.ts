import { type Clock, type Ids, messageOf, startDeadline } from "agent-tty/kit";
import { type CoderAnswer, explain } from "./coder-answer.ts";
import { exhausted, loggedOut, redirected } from "./http-failures.ts";
import type { SessionToken } from "./session-token.ts";
import type { CoderTimings } from "./timings.ts";
import { printable } from "./workspace-error.ts";

export interface CoderRequest {
  method: "GET" | "POST" | "PATCH" | "PUT";
  /** Below /api/v2. */
  path: string;
  query?: Record<string, string>;
  body?: unknown;
  /** Completes "Tried to …" in messages. */
  attempted: string;
  /** Instead of the usual patience with passing failures. */
  retryForMs?: number;
}

/** `passing`: may work later. `isUnknown`: the request may have had its effect although no answer says so. */
export type Attempt =
  | { type: "answered"; answer: CoderAnswer }
  | { type: "passing"; seen: string; isUnknown: boolean; isRateLimit: boolean; retryAfterMs: number | null };

export interface CoderHttp {
  /** For idempotent requests: passing failures are retried with back-off. Rejects with CODER_UNREACHABLE and the like. */
  send(request: CoderRequest, signal: AbortSignal): Promise<CoderAnswer>;
  /** Exactly one attempt, which only its own time limit ends. Rejects on a redirect or 401: those had no effect. */
  attempt(request: CoderRequest): Promise<Attempt>;
}

export interface CoderHttpOptions {
  url: string;
  token: SessionToken;
  fetch: typeof globalThis.fetch;
  clock: Clock;
  ids: Ids;
  timings: CoderTimings;
}

const MAX_BODY_BYTES = 16 * 1024 ** 2;

/**
 * HTTP to a Coder deployment with the session token; a request that gets no usable answer is retried with growing,
 * random pauses.
 */
export function createCoderHttp(options: CoderHttpOptions): CoderHttp {
  const never = new AbortController().signal;
  return {
    attempt: (request) => attemptOnce(request, never, options),
    send: async (request, signal) => {
      const { clock, ids, timings } = options;
      const startMs = clock.monotonicMs();
      let delayMs = timings.retryFirstDelayMs;
      for (;;) {
        const attempt = await attemptOnce(request, signal, options);
        if (attempt.type === "answered") return attempt.answer;
        const waitMs = Math.min(attempt.retryAfterMs ?? delayMs, timings.retryMaxDelayMs) * jitter(ids);
        if (clock.monotonicMs() - startMs + waitMs > (request.retryForMs ?? timings.retryForMs))
          throw exhausted(request.attempted, attempt, options.url);
        await clock.sleep(waitMs, signal);
        delayMs = Math.min(delayMs * 2, timings.retryMaxDelayMs);
      }
    },
  };
}

/** Between 1 and 1.25, so that parents that failed together do not return together. */
function jitter(ids: Ids): number {
  return 1 + Number.parseInt(ids.hex(1), 16) / 1024;
}

/** A 401 had no effect, so a request that meets one is sent again with the renewed token, also when it is no idempotent one. */
async function attemptOnce(
  request: CoderRequest,
  signal: AbortSignal,
  options: CoderHttpOptions,
): Promise<Attempt> {
  const sentWith = options.token.current();
  const attempt = await sendOnce(request, signal, options, sentWith);
  const isRefused = attempt.type === "answered" && attempt.answer.status === 401;
  if (!isRefused) return attempt;
  if (!(await options.token.renew(sentWith, signal)))
    throw loggedOut(request.attempted, attempt.answer, options.url);
  const again = await sendOnce(request, signal, options, options.token.current());
  if (again.type === "answered" && again.answer.status === 401)
    throw loggedOut(request.attempted, again.answer, options.url);
  return again;
}

async function sendOnce(
  request: CoderRequest,
  signal: AbortSignal,
  options: CoderHttpOptions,
  token: string,
): Promise<Attempt> {
  signal.throwIfAborted();
  const { clock, timings, url } = options;
  using deadline = startDeadline(clock, `${request.method} ${url}`, timings.requestTimeoutMs, signal);
  let response: Response;
  let text: string;
  try {
    response = await options.fetch(addressOf(request, url), {
      method: request.method,
      headers: {
        accept: "application/json",
        "coder-session-token": token,
        ...(request.body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
      redirect: "manual",
      signal: deadline.signal,
    });
    text = await boundedText(response);
  } catch (error) {
    signal.throwIfAborted();
    return passing(withCause(error), { isUnknown: true });
  }
  return classify(request, response, text, options);
}

function classify(
  request: CoderRequest,
  response: Response,
  text: string,
  { token }: CoderHttpOptions,
): Attempt {
  const serverTimeMs = Date.parse(response.headers.get("date") ?? "");
  const answer: CoderAnswer = {
    status: response.status,
    body: parseJson(text),
    // A proxy's error page may echo request headers.
    text: token.redact(text),
    serverTimeMs: Number.isNaN(serverTimeMs) ? null : serverTimeMs,
  };
  const { status } = answer;
  if (status >= 300 && status < 400) throw redirected(request.attempted, response);
  if (status === 429)
    return passing(explain(answer), { isRateLimit: true, retryAfterMs: retryAfterMs(response) });
  // Coder's own 500 to a POST may carry a verdict (the lost race at the unique index): the caller reads it.
  const isVerdict = status === 500 && request.method === "POST" && answer.body !== undefined;
  if (status >= 500 && !isVerdict)
    return passing(explain(answer), { isUnknown: true, retryAfterMs: retryAfterMs(response) });
  return { type: "answered", answer };
}

function passing(
  seen: string,
  { isUnknown = false, isRateLimit = false, retryAfterMs = null as number | null },
): Attempt {
  return { type: "passing", seen, isUnknown, isRateLimit, retryAfterMs };
}

function addressOf({ path, query }: CoderRequest, url: string): string {
  const search = query === undefined ? "" : `?${new URLSearchParams(query).toString()}`;
  return `${url.replace(/\/+$/, "")}/api/v2${path}${search}`;
}

async function boundedText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of response.body ?? []) {
    sizeBytes += chunk.byteLength;
    if (sizeBytes > MAX_BODY_BYTES) throw new Error(`the answer is longer than ${MAX_BODY_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Seconds, as Coder's rate limiter sends them; anything else is ignored. */
function retryAfterMs(response: Response): number | null {
  const seconds = response.headers.get("retry-after");
  return seconds !== null && /^\d{1,6}$/.test(seconds) ? Number(seconds) * 1000 : null;
}

/** fetch says only "fetch failed"; the reason is its cause. */
function withCause(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return printable(cause === undefined ? messageOf(error) : `${messageOf(error)}: ${messageOf(cause)}`);
}
