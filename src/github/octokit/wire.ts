import { type Clock, raceSignal, startDeadline } from "agent-tty/kit";
import type { Octokit } from "@octokit/rest";
import type { z } from "zod";
import type { RepositoryName } from "../port.ts";
import { redactSecrets } from "../secrets.ts";
import { type OutagePatience, outageWaitMs } from "./outage.ts";
import { type RateLimitPatience, rateLimitWaitMs } from "./rate-limit.ts";
import type { SignIn } from "./sign-in.ts";
import { githubError, rateLimited, unexpected } from "./wire-errors.ts";

export interface WireOptions extends RateLimitPatience {
  signedIn: SignIn;
  clock: Clock;
  apiUrl: string;
  /** Shown in no message and no error. */
  secret: string;
  requestTimeoutMs: number;
  outage: OutagePatience;
  log?: (line: string) => void;
}

export interface WireRequest {
  /** For messages, e.g. `read the comments of o/r#1`. */
  attempted: string;
  /** `GET /repos/{owner}/{repo}` */
  route: string;
  parameters: Record<string, unknown>;
  signal: AbortSignal;
  /** Asking twice, or later, is the same as asking once: a lost answer is asked for again, and a rate limit waited out. */
  isRepeatable: boolean;
  /** The identity an App uses: itself, or the installation of this id; default: the installation of what the parameters name. */
  as?: "app" | number;
}

export interface WireAnswer {
  status: number;
  data: unknown;
  headers: Readonly<Record<string, string | number | undefined>>;
}

/** One request and its answer, with time limit, patience for rate limits and outages, and our errors. Redirects are answers. */
export interface Wire {
  send(request: WireRequest): Promise<WireAnswer>;
  /** An answer the schema describes; anything else is GITHUB_UNEXPECTED_ANSWER. */
  parse<Value>(request: WireRequest, answer: WireAnswer, schema: z.ZodType<Value>): Value;
  /** The login of the App we are; null when we are signed in with a token. */
  appLogin(signal: AbortSignal): Promise<string | null>;
  gitToken(repo: RepositoryName, signal: AbortSignal): Promise<string>;
}

/** One thing asked of GitHub, however many requests it takes. */
type Attempt = Pick<WireRequest, "attempted" | "signal" | "isRepeatable">;

const MAX_RATE_LIMIT_WAITS = 5;

/**
 * Sends requests to GitHub: signed in, bounded in time, repeated where that is safe, and with errors that hold no
 * token.
 */
export function createWire(options: WireOptions): Wire {
  const { signedIn, clock, apiUrl, secret } = options;
  const withoutToken = (text: string): string =>
    redactSecrets(secret === "" ? text : text.replaceAll(secret, "[redacted secret]"));

  const once = async <T>({ attempted, signal }: Attempt, act: (signal: AbortSignal) => Promise<T>) => {
    using deadline = startDeadline(clock, `to ${attempted}`, options.requestTimeoutMs, signal);
    deadline.signal.throwIfAborted();
    return await raceSignal(act(deadline.signal), deadline.signal);
  };

  let hasAnswered = false;
  const patiently = async <T>(attempt: Attempt, act: (signal: AbortSignal) => Promise<T>): Promise<T> => {
    const { attempted, signal, isRepeatable } = attempt;
    let [waits, failures, firstFailureMs] = [0, 0, 0];
    for (;;) {
      try {
        const answer = await once(attempt, act);
        hasAnswered = true;
        return answer;
      } catch (error) {
        signal.throwIfAborted();
        const failure = { attempted, apiUrl, withoutToken, cause: error };
        const limitMs = rateLimitWaitMs(error, waits, clock.nowMs());
        if (limitMs !== null) {
          hasAnswered = true;
          // What may not be repeated rests on what its caller looked at: the caller waits, and looks again.
          const isWaitedFor = isRepeatable && waits < MAX_RATE_LIMIT_WAITS;
          if (!isWaitedFor || limitMs > options.maxRateLimitWaitMs) throw rateLimited(failure, limitMs);
          waits += 1;
          options.log?.(`GitHub's rate limit: waiting ${Math.ceil(limitMs / 1_000)} s to ${attempted}`);
          await clock.sleep(limitMs, signal);
          continue;
        }
        failures += 1;
        if (failures === 1) firstFailureMs = clock.monotonicMs();
        const so = { failures, lastedMs: clock.monotonicMs() - firstFailureMs, hasAnswered };
        const waitMs = isRepeatable ? outageWaitMs(error, options.outage, so) : null;
        if (waitMs === null) throw githubError(failure);
        options.log?.(
          `GitHub is away (${githubError(failure).message}): waiting ${Math.ceil(waitMs / 1_000)} s`,
        );
        await clock.sleep(waitMs, signal);
      }
    }
  };

  const send = (request: WireRequest): Promise<WireAnswer> =>
    patiently(request, async (signal) => {
      const { route, parameters } = request;
      const ask = (octokit: Octokit) => octokit.request(route, { ...parameters, request: { signal } });
      return (await signedInFor(request, ask)) as WireAnswer;
    });

  const signedInFor = async <Answer>(
    { as, parameters }: WireRequest,
    ask: (octokit: Octokit) => Promise<Answer>,
  ): Promise<Answer> => {
    if (as === undefined) return signedIn.asOwner(namesOf(parameters), ask);
    if (as !== "app") return ask(signedIn.forInstallation(as));
    if (signedIn.app === null) throw new Error("only a GitHub App asks as an App");
    return ask(signedIn.app);
  };

  return {
    send,
    appLogin: async (signal) => {
      const { app } = signedIn;
      if (app === null) return null;
      const attempted = "ask which GitHub App the private key belongs to";
      const { data } = await patiently({ attempted, signal, isRepeatable: true }, (limited) =>
        app.rest.apps.getAuthenticated({ request: { signal: limited } }),
      );
      return `${data?.slug ?? ""}[bot]`;
    },
    gitToken: (repo, signal) =>
      patiently({ attempted: `get a token for ${repo}`, signal, isRepeatable: true }, () =>
        signedIn.token(repo),
      ),
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

function namesOf({ owner, repo }: Record<string, unknown>): { owner: string; repo: string } | null {
  return typeof owner === "string" && typeof repo === "string" ? { owner, repo } : null;
}

/** Statuses that say the issue is not there (any more), and what each means. */
export function goneReason(status: number): "transferred" | "not-found" | "deleted" | null {
  if (status >= 300 && status < 400) return "transferred";
  if (status === 404) return "not-found";
  return status === 410 ? "deleted" : null;
}
