import { type Clock, raceSignal, startDeadline } from "agent-tty/kit";
import type { Octokit } from "@octokit/rest";
import type { z } from "zod";
import type { RepositoryName } from "../port.ts";
import { redactSecrets } from "../secrets.ts";
import { throwIfRefused } from "./graphql-failure.ts";
import { type OutagePatience, outageWaitMs } from "./outage.ts";
import { type RateLimitPatience, rateLimitWaitMs } from "./rate-limit.ts";
import type { SignIn } from "./sign-in.ts";
import { githubError, rateLimited, unexpected } from "./wire-errors.ts";

export interface WireOptions extends RateLimitPatience {
  signedIn: SignIn;
  clock: Clock;
  apiUrl: string;
  /** The credential, which is removed from all messages and errors. */
  secret: string;
  requestTimeoutMs: number;
  outage: OutagePatience;
  log?: (line: string) => void;
}

export interface WireRequest {
  /** A description for messages, e.g. `read the comments of o/r#1`. */
  attempted: string;
  /** The route, such as `GET /repos/{owner}/{repo}`. */
  route: string;
  parameters: Record<string, unknown>;
  signal: AbortSignal;
  /**
   * Whether sending the request twice, or later, has the same effect as sending it once. If so, a lost answer is requested again,
   * and the request waits for rate limits. Never true for a write to an issue: people may decide in between.
   */
  isRepeatable: boolean;
  /**
   * The identity that an App uses: itself, or the installation with this id; default: the installation for the repository that
   * the parameters name.
   */
  as?: "app" | number;
}

export interface WireAnswer {
  status: number;
  data: unknown;
  headers: Readonly<Record<string, string | number | undefined>>;
}

/**
 * Sends requests with a time limit, waits for rate limits and outages, and converts errors. A redirect is returned as an answer.
 */
export interface Wire {
  send(request: WireRequest): Promise<WireAnswer>;
  /** Parses an answer by the schema. Throws GITHUB_UNEXPECTED_ANSWER if it does not match. */
  parse<Value>(request: Pick<WireRequest, "attempted">, answer: WireAnswer, schema: z.ZodType<Value>): Value;
  /** Returns the login of the App as which we are signed in; null when we are signed in with a token. */
  appLogin(signal: AbortSignal): Promise<string | null>;
  gitToken(repo: RepositoryName, signal: AbortSignal): Promise<string>;
}

/** One operation on GitHub, which may take several requests. */
type Attempt = Pick<WireRequest, "attempted" | "signal" | "isRepeatable">;

const MAX_RATE_LIMIT_WAITS = 5;

/** The route of every GraphQL query. */
export const GRAPHQL = "POST /graphql";

/**
 * Returns the wire to GitHub: requests are signed in, bounded in time and repeated where that is safe, and errors contain no token.
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
          // A request that must not be repeated depends on what its caller has read, so it fails: the caller waits and reads again.
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
          `GitHub is unavailable (${githubError(failure).message}): waiting ${Math.ceil(waitMs / 1_000)} s`,
        );
        await clock.sleep(waitMs, signal);
      }
    }
  };

  const send = (request: WireRequest): Promise<WireAnswer> =>
    patiently(request, async (signal) => {
      const { route, parameters } = request;
      const ask = (octokit: Octokit) => octokit.request(route, { ...parameters, request: { signal } });
      const answer = (await signedInFor(request, ask)) as WireAnswer;
      if (route === GRAPHQL) throwIfRefused(answer.data);
      return answer;
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

/** Returns why an issue is not there (any more), by the HTTP status; null for all other statuses. */
export function goneReason(status: number): "transferred" | "not-found" | "deleted" | null {
  if (status >= 300 && status < 400) return "transferred";
  if (status === 404) return "not-found";
  return status === 410 ? "deleted" : null;
}
