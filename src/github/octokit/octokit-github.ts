import { throttling } from "@octokit/plugin-throttling";
import { Octokit } from "@octokit/rest";
import { type Clock, type Exchange, observedFetch } from "agent-tty/kit";
import type { GithubReader, GithubWriter, Person, RepositoryName } from "../port.ts";
import type { AppExaminer } from "../app-port.ts";
import type { InstallationReader } from "../installation-port.ts";
import type { AccessExaminer, LabelRegistry } from "../setup-port.ts";
import { createConditionalFetch, type ResponseStore } from "./conditional-fetch.ts";
import type { GithubHistory } from "../history-port.ts";
import type { GithubSuggestions } from "../suggestion-port.ts";
import { createOctokitHistory } from "./octokit-history.ts";
import { createAppExaminer } from "./octokit-app.ts";
import { createInstallationReader } from "./octokit-installations.ts";
import { createOctokitReader } from "./octokit-reader.ts";
import { createAccessExaminer, createLabelRegistry } from "./octokit-setup.ts";
import { createOctokitSuggestions } from "./octokit-suggestions.ts";
import { createOctokitWriter } from "./octokit-writer.ts";
import { type GithubCredential, type MakeOctokit, signIn } from "./sign-in.ts";
import { createWire, type Wire } from "./wire.ts";

export interface OctokitGithubOptions {
  /** `https://api.github.com`, or `https://host/api/v3` of a GitHub Enterprise Server. */
  apiUrl: string;
  credential: GithubCredential;
  userAgent: string;
  clock: Clock;
  /** Called with one line for people, e.g. about a wait for the rate limit. The line never contains the token. */
  log?: (line: string) => void;
  /** `github` (default): at least 1 s between writes, 3 s between comments, as GitHub asks. `none`: for a loopback GitHub. */
  pacing?: "github" | "none";
  /**
   * The account to assume for an installation token on a GitHub without GraphQL, which cannot report the token's account (for the
   * `GITHUB_TOKEN` of Actions: `githubActionsViewer`). Without this option, GitHub's refusal is an error.
   */
  assumeViewer?: Person;
  /**
   * The longest single wait for a rate limit, in milliseconds; a longer one fails with GITHUB_RATE_LIMITED. Default: 15 minutes.
   */
  maxRateLimitWaitMs?: number;
  /** The time limit of one request, in milliseconds. Default: 30 s. */
  requestTimeoutMs?: number;
  /** Called with every credential that a request uses, including installation tokens created at run time (S25). */
  onCredential?: (secret: string) => void;
  /** The longest wait of a repeatable request while GitHub is unavailable, in milliseconds. Default: 10 minutes. */
  maxOutageMs?: number;
  /** Called for every request after it has finished. */
  onExchange?: (exchange: Exchange) => void;
  /** A store that keeps responses from one process to the next; without it, they are kept in memory only. */
  responses?: ResponseStore;
}

/** The user behind the `GITHUB_TOKEN` of a GitHub Actions job on github.com. */
export const githubActionsViewer: Person = { id: 41_898_282, login: "github-actions[bot]", isBot: true };

const PacedOctokit = Octokit.plugin(throttling);

/**
 * Returns the ports over GitHub's API. Requests never follow a redirect. Reads wait while GitHub is unavailable, and until a rate
 * limit ends; writes to an issue fail at once, and their caller looks at the issue again. Reads are conditional (a 304 costs no
 * quota). Every wait uses the injected clock, is bounded and can be aborted.
 */
export function createOctokitGithub(options: OctokitGithubOptions): {
  reader: GithubReader;
  writer: GithubWriter;
  history: GithubHistory;
  suggestions: GithubSuggestions;
  /**
   * Returns the token that git presents for a repository: the given token, or that of the App's installation for the repository.
   */
  gitToken: (repo: RepositoryName, signal: AbortSignal) => Promise<string>;
} {
  const { onExchange, clock } = options;
  const fetch =
    onExchange === undefined
      ? globalThis.fetch
      : observedFetch(globalThis.fetch, "github", clock, onExchange);
  const wire = openWire(options, createConditionalFetch(fetch, options.responses ?? null));
  return {
    reader: createOctokitReader(wire, options.assumeViewer ?? null),
    writer: createOctokitWriter(wire),
    history: createOctokitHistory(wire),
    suggestions: createOctokitSuggestions(wire),
    gitToken: async (repo, signal) => {
      const token = await wire.gitToken(repo, signal);
      options.onCredential?.(token);
      return token;
    },
  };
}

/**
 * Returns the ports for setting up and examining repositories. They use no kept responses, because they read headers that are not
 * kept.
 */
export function createOctokitSetup(options: Omit<OctokitGithubOptions, "responses" | "assumeViewer">): {
  labels: LabelRegistry;
  access: AccessExaminer;
  installations: InstallationReader;
  app: AppExaminer;
} {
  const wire = openWire(options, globalThis.fetch);
  return {
    labels: createLabelRegistry(wire),
    access: createAccessExaminer(wire, options.credential),
    installations: createInstallationReader(wire),
    app: createAppExaminer(wire),
  };
}

function openWire(options: OctokitGithubOptions, fetch: typeof globalThis.fetch): Wire {
  const { credential } = options;
  return createWire({
    maxRateLimitWaitMs: 15 * 60_000,
    requestTimeoutMs: 30_000,
    ...options,
    outage: {
      firstDelayMs: options.pacing === "none" ? 20 : 1_000,
      maxDelayMs: options.pacing === "none" ? 1_000 : 30_000,
      patienceMs: options.maxOutageMs ?? 10 * 60_000,
    },
    signedIn: signIn(credential, octokitMaker(options, tellingFetch(fetch, options.onCredential))),
    secret: credential.type === "token" ? credential.token : credential.privateKey,
  });
}

function tellingFetch(
  fetch: typeof globalThis.fetch,
  onCredential: OctokitGithubOptions["onCredential"],
): typeof globalThis.fetch {
  if (onCredential === undefined) return fetch;
  return (input, init) => {
    const [, secret] = /^\w+ (\S+)$/.exec(new Headers(init?.headers).get("authorization") ?? "") ?? [];
    if (secret !== undefined) onCredential(secret);
    return fetch(input, init);
  };
}

/** Returns the function that makes clients. All clients of one account in this process share one pace, even across wires. */
function octokitMaker(options: OctokitGithubOptions, fetch: typeof globalThis.fetch): MakeOctokit {
  const { apiUrl, userAgent, pacing = "github" } = options;
  const common = {
    baseUrl: apiUrl.replace(/\/+$/, ""),
    userAgent,
    log: silentLog,
    request: { fetch, redirect: "manual" as const },
  };
  const throttle = {
    enabled: pacing === "github",
    // The wire waits for rate limits itself: on the injected clock, abortable and bounded. The plugin only spaces the requests.
    onRateLimit: () => false,
    onSecondaryRateLimit: () => false,
  };
  return (auth, account) => {
    const octokit = new PacedOctokit({
      ...common,
      throttle: { ...throttle, id: `${apiUrl} ${account}` },
      ...auth,
    });
    // On a GitHub Enterprise Server, REST is at `/api/v3` and GraphQL at `/api/graphql`.
    octokit.hook.before("request", (request) => {
      if (request.url === "/graphql") request.baseUrl = request.baseUrl.replace(/\/v3$/, "");
    });
    return octokit;
  };
}

/** Without this logger, Octokit would print warnings about limits and deprecations to the console. */
const silentLog = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};
