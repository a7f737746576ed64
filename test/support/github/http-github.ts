import { createVirtualClock, type VirtualClock } from "agent-tty/testing";
import { http, HttpResponse, type JsonBodyType } from "msw";
import { type SetupServer, setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll } from "vitest";
import {
  createOctokitGithub,
  type GithubReader,
  type GithubSuggestions,
  type GithubWriter,
  type Person,
} from "../../../src/github/index.ts";

export const API = "https://github.example/api/v3";
export const TOKEN = "a-token-that-must-never-be-shown";
export const REPO = "octo/widgets";
export const ref = { repo: REPO, number: 7 } as const;
/** Never aborts: test files may share this module for longer than any deadline. */
export const signal = new AbortController().signal;

let server: SetupServer;

/**
 * Serves GitHub as single HTTP answers, for behaviour that the stateful GitHub lacks. A request without an answer fails the test.
 */
export function useHttpGithub(): SetupServer {
  const current = setupServer();
  server = current;
  beforeAll(() => current.listen({ onUnhandledRequest: "error" }));
  afterEach(() => current.resetHandlers());
  afterAll(() => current.close());
  return current;
}

export const user = { id: 5, login: "reporter", type: "User" };
export const issue = {
  number: 7,
  title: "Title",
  body: null,
  state: "open",
  labels: ["bug", { name: "needs-triage" }],
  user,
  created_at: "2026-01-01T00:00:00Z",
  updated_at: "2026-01-01T00:00:00Z",
  html_url: "https://github.example/octo/widgets/issues/7",
};
export const comment = { ...issue, id: 1, body: "text" };

export function makeGithub(
  options: {
    clock?: VirtualClock;
    log?: string[];
    assumeViewer?: Person;
    pacing?: "github";
    /** By default the reader does not wait for a GitHub that is away. */
    maxOutageMs?: number;
    token?: string;
  } = {},
): {
  reader: GithubReader;
  writer: GithubWriter;
  suggestions: GithubSuggestions;
} {
  const { log, clock = createVirtualClock(), token = TOKEN, ...rest } = options;
  return createOctokitGithub({
    apiUrl: API,
    credential: { type: "token", token },
    userAgent: "test",
    clock,
    pacing: "none",
    maxOutageMs: 0,
    ...rest,
    ...(log === undefined ? {} : { log: (line) => log.push(line) }),
  });
}

export type Answer = {
  status?: number;
  headers?: Record<string, string>;
  json?: JsonBodyType;
  html?: string;
};

/** Serves answers in order and then repeats the last one; counts the requests. */
export function serve(
  method: "get" | "post" | "patch" | "delete",
  path: string,
  ...answers: Answer[]
): { requests: Request[] } {
  const requests: Request[] = [];
  server.use(
    http[method](`${API}${path}`, ({ request }) => {
      const answer = answers[Math.min(requests.length, answers.length - 1)] ?? {};
      requests.push(request);
      const init = { status: answer.status ?? 200, headers: answer.headers ?? {} };
      if (answer.html !== undefined) return HttpResponse.html(answer.html, init);
      return answer.status === 304
        ? new HttpResponse(null, init)
        : HttpResponse.json(answer.json ?? {}, init);
    }),
  );
  return { requests };
}

export const ISSUE = "/repos/octo/widgets/issues/7";

/** Yields to real I/O, which has no virtual clock, until the condition holds; otherwise the test's own limit ends the wait. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) {
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
}

export async function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => null,
    (error: unknown) => error,
  );
}
