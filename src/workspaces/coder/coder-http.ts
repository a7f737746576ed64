import { type Clock, type Ids, messageOf, parseJson, startDeadline } from "agent-tty/kit";
import { type CoderAnswer, explain } from "./coder-answer.ts";
import { exhausted, loggedOut, redirected } from "./http-failures.ts";
import type { SessionToken } from "./session-token.ts";
import type { CoderTimings } from "./timings.ts";
import { printable } from "./workspace-error.ts";

export interface CoderRequest {
  method: "GET" | "POST" | "PATCH" | "PUT";
  /** The path below /api/v2. */
  path: string;
  query?: Record<string, string>;
  body?: unknown;
  /** Completes "Tried to …" in messages. */
  attempted: string;
}

/** `passing`: a later attempt may succeed. `isUnknown`: the request may have taken effect although no answer confirms it. */
export type Attempt =
  | { type: "answered"; answer: CoderAnswer }
  | { type: "passing"; seen: string; isUnknown: boolean; isRateLimit: boolean; retryAfterMs: number | null };

export interface CoderHttp {
  /**
   * Sends an idempotent request; passing failures are retried with backoff. Rejects with CODER_UNREACHABLE or another
   * WorkspaceErrorCode.
   */
  send(request: CoderRequest, signal: AbortSignal): Promise<CoderAnswer>;
  /**
   * Makes exactly one attempt, which only its own time limit ends. Rejects on a redirect or 401, because such requests had no
   * effect.
   */
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
 * Creates the HTTP client of a Coder deployment, which sends the session token. A request without a usable answer is retried with
 * growing, random pauses.
 */
export function createCoderHttp(options: CoderHttpOptions): CoderHttp {
  const never = new AbortController().signal;
  const { timings } = options;
  // An address that has never answered may be wrong, and stays wrong.
  let hasAnswered = false;
  const patienceMs = (): number =>
    hasAnswered ? timings.retryForMs : Math.min(timings.firstAnswerMs, timings.retryForMs);
  return {
    attempt: (request) => attemptOnce(request, never, options),
    send: async (request, signal) => {
      const { clock, ids } = options;
      const startMs = clock.monotonicMs();
      let delayMs = timings.retryFirstDelayMs;
      for (;;) {
        const attempt = await attemptOnce(request, signal, options);
        hasAnswered ||= attempt.type === "answered" || attempt.isRateLimit;
        if (attempt.type === "answered") return attempt.answer;
        const waitMs = Math.min(attempt.retryAfterMs ?? delayMs, timings.retryMaxDelayMs) * jitter(ids);
        if (clock.monotonicMs() - startMs + waitMs > patienceMs())
          throw exhausted(request.attempted, attempt, options.url);
        await clock.sleep(waitMs, signal);
        delayMs = Math.min(delayMs * 2, timings.retryMaxDelayMs);
      }
    },
  };
}

/** Returns a factor between 1 and 1.25, so that parents that failed together do not retry together. */
function jitter(ids: Ids): number {
  return 1 + Number.parseInt(ids.hex(1), 16) / 1024;
}

/**
 * Makes one attempt. A request answered with 401 had no effect, so it is sent again with the renewed token, even if it is not
 * idempotent.
 */
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
  // Coder's own 500 to a POST may carry a result (the lost race at the unique index), which the caller reads.
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

/**
 * Returns the time in the Retry-After header, in milliseconds, or null. Coder's rate limiter sends seconds; any other form is
 * ignored.
 */
function retryAfterMs(response: Response): number | null {
  const seconds = response.headers.get("retry-after");
  return seconds !== null && /^\d{1,6}$/.test(seconds) ? Number(seconds) * 1000 : null;
}

/** Returns the message of a fetch error with its cause, because fetch itself only says "fetch failed". */
function withCause(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return printable(cause === undefined ? messageOf(error) : `${messageOf(error)}: ${messageOf(cause)}`);
}
