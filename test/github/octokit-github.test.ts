import { createVirtualClock } from "agent-tty/testing";
import { http, HttpResponse, type JsonBodyType } from "msw";
import { describe, expect, test, vi } from "vitest";
import { githubActionsViewer } from "../../src/github/index.ts";
import {
  type Answer,
  API,
  comment,
  failureOf,
  ISSUE,
  issue,
  makeGithub,
  ref,
  REPO,
  serve,
  signal,
  TOKEN,
  until,
  useHttpGithub,
  user,
} from "../support/github/http-github.ts";

const server = useHttpGithub();

/** Serves GraphQL where a GitHub Enterprise Server does: beside `/api/v3`. Returns the queries. */
function serveGraphql(answer: JsonBodyType): string[] {
  const queries: string[] = [];
  server.use(
    http.post(API.replace(/v3$/, "graphql"), async ({ request }) => {
      queries.push(((await request.json()) as { query: string }).query);
      return HttpResponse.json(answer);
    }),
  );
  return queries;
}

describe("the meaning of answers", () => {
  const check = async (answer: Answer, code: string, remedy: RegExp): Promise<void> => {
    serve("get", "/repos/octo/widgets", answer);
    const failure: unknown = await makeGithub()
      .reader.repository(REPO, signal)
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ code, message: expect.stringContaining("octo/widgets") as string });
    expect((failure as { remedy: string }).remedy).toMatch(remedy);
    expect(String(failure) + JSON.stringify(failure)).not.toContain(TOKEN);
  };

  test("errors for refusals and unexpected answers are typed, have a remedy, and never show the token", async () => {
    expect.hasAssertions();
    await check(
      { status: 401, json: { message: `Bad credentials ${TOKEN}` } },
      "GITHUB_TOKEN_REJECTED",
      /GITHUB_TOKEN/,
    );
    await check({ status: 403, json: { message: "Resource not accessible" } }, "GITHUB_FORBIDDEN", /issues/);
    await check({ status: 404, json: { message: "Not Found" } }, "GITHUB_REPOSITORY_MISSING", /owner\/name/);
    await check({ status: 301, headers: { location: `${API}/x` } }, "GITHUB_REPOSITORY_MISSING", /redirects/);
    await check(
      { status: 451, json: { message: "Repository access blocked" } },
      "GITHUB_REPOSITORY_MISSING",
      /legal/,
    );
    await check(
      { status: 410, json: { message: "Issues are disabled" } },
      "GITHUB_REPOSITORY_CLOSED",
      /issues/,
    );
    await check({ html: "<html>log in</html>" }, "GITHUB_UNEXPECTED_ANSWER", /GITHUB_API_URL/);
    await check({ json: { full_name: "octo/widgets" } }, "GITHUB_UNEXPECTED_ANSWER", /GITHUB_API_URL/);
    await check({ status: 502, html: "bad gateway" }, "GITHUB_UNREACHABLE", /GITHUB_API_URL/);
  });

  test("a 404 for the token's account names the address of the API, because every GitHub has that path", async () => {
    serve("get", "/user", { status: 404, json: { message: "Not Found" } });
    await expect(makeGithub().reader.viewer(signal)).rejects.toMatchObject({
      code: "GITHUB_UNREACHABLE",
      message: expect.stringContaining("answered 404") as string,
      remedy: expect.stringMatching(/GITHUB_API_URL .*api\/v3/) as string,
    });
  });

  test("an answer that is declared as JSON but is not JSON is GITHUB_UNEXPECTED_ANSWER", async () => {
    server.use(
      http.get(
        `${API}/repos/octo/widgets`,
        () => new HttpResponse("{ not json", { headers: { "content-type": "application/json" } }),
      ),
    );
    await expect(makeGithub().reader.repository(REPO, signal)).rejects.toMatchObject({
      code: "GITHUB_UNEXPECTED_ANSWER",
    });
  });

  test("no error shows a part of a token that contains a line break (S8)", async () => {
    const failure = await failureOf(makeGithub({ token: "canary1canary1\ncanary2" }).reader.viewer(signal));
    expect(failure).toMatchObject({ code: "GITHUB_UNREACHABLE" });
    expect(String(failure) + String((failure as Error).cause)).not.toContain("canary");
  });

  test("a network failure names the URL", async () => {
    server.use(http.get(`${API}/repos/octo/widgets`, () => HttpResponse.error()));
    await expect(makeGithub().reader.repository(REPO, signal)).rejects.toMatchObject({
      code: "GITHUB_UNREACHABLE",
      message: expect.stringContaining(API) as string,
      remedy: expect.stringContaining("GITHUB_API_URL") as string,
    });
  });
});

describe("issues", () => {
  test("statuses 301, 404 and 410 return a typed reason", async () => {
    const check = async (status: number, reason: string): Promise<void> => {
      serve("get", ISSUE, { status, headers: { location: `${API}/repositories/1/issues/9` } });
      expect(await makeGithub().reader.issue(ref, signal)).toEqual({ type: "gone", reason });
    };
    await check(301, "transferred");
    await check(404, "not-found");
    await check(410, "deleted");
  });

  test("pull requests are marked, deleted accounts are null, and bots are recognised by type or app", async () => {
    const check = async (change: object, expected: object): Promise<void> => {
      serve("get", ISSUE, { json: { ...issue, ...change } });
      expect(await makeGithub().reader.issue(ref, signal)).toMatchObject({ issue: expected });
    };
    await check(
      {},
      { body: "", labels: ["bug", "needs-triage"], author: { id: 5, isBot: false }, isPullRequest: false },
    );
    await check({ pull_request: { url: "x" } }, { isPullRequest: true });
    await check({ user: null }, { author: null });
    await check({ user: { ...user, login: "ghost" } }, { author: null });
    await check({ user: { ...user, type: "Bot" } }, { author: { isBot: true } });
    await check({ user: { ...user, login: "x[bot]" } }, { author: { isBot: false } });
    await check({ performed_via_github_app: { id: 1 } }, { author: { isBot: true } });
    await check({ performed_via_github_app: null }, { author: { isBot: false } });
  });

  test("an answer with another issue than the one asked for is refused (S6)", async () => {
    serve("get", ISSUE, { json: { ...issue, number: 8 } });
    const read = makeGithub().reader.issue(ref, signal);
    await expect(read).rejects.toThrow(/number: it is another issue than the one asked for/);
  });

  test("reading further issues compiles no code (P11)", async () => {
    serve("get", ISSUE, { json: issue });
    const { reader } = makeGithub();
    await reader.issue(ref, signal);
    // zod compiles the schema of an object with this constructor.
    const compile = vi.fn(Reflect.construct);
    vi.stubGlobal("Function", new Proxy(Function, { construct: compile }));
    try {
      for (let times = 0; times < 3; times += 1) await reader.issue(ref, signal);
    } finally {
      vi.unstubAllGlobals();
    }
    expect(compile).not.toHaveBeenCalled();
  });
});

describe("reading", () => {
  test("a request without an answer fails after the time limit", async () => {
    const clock = createVirtualClock();
    const asked: true[] = [];
    server.use(
      http.get(`${API}${ISSUE}`, () => {
        asked.push(true);
        return new Promise<Response>(() => undefined);
      }),
    );
    const failed = failureOf(makeGithub({ clock }).reader.issue(ref, signal));
    await until(() => asked.length > 0);
    await clock.advance(30_000);
    expect(await failed).toMatchObject({
      code: "GITHUB_UNREACHABLE",
      message: expect.stringContaining("30000 ms") as string,
    });
  });

  test("a refused request that reads is GITHUB_UNEXPECTED_ANSWER and does not ask for a shorter text", async () => {
    serve("get", "/repos/octo/widgets/issues", { status: 422, json: { message: "Validation Failed" } });
    const failure = await failureOf(makeGithub().reader.listOpenIssues(REPO, null, signal));
    expect(failure).toMatchObject({ code: "GITHUB_UNEXPECTED_ANSWER", details: { status: 422 } });
    expect((failure as { remedy: string }).remedy).not.toMatch(/shorten/);
  });

  test("a second read is conditional, and an unchanged response comes from memory (P13)", async () => {
    const etag = { etag: 'W/"1"' };
    const { requests } = serve(
      "get",
      `${ISSUE}/comments`,
      { json: [comment], headers: etag },
      { status: 304, headers: etag },
    );
    const { reader } = makeGithub();
    const first = await reader.comments(ref, signal);
    expect(await reader.comments(ref, signal)).toEqual(first);
    expect(requests.map((request) => request.headers.get("if-none-match"))).toEqual([null, 'W/"1"']);
  });

  test("the account of an installation token, which REST does not report, is read from GraphQL (T2)", async () => {
    serve("get", "/user", { status: 403, json: { message: "Resource not accessible by integration" } });
    const asked = serveGraphql({ data: { viewer: { databaseId: 777, login: "our-triage[bot]" } } });
    expect(await makeGithub().reader.viewer(signal)).toEqual({
      id: 777,
      login: "our-triage[bot]",
      isBot: true,
    });
    expect(asked).toEqual([expect.stringContaining("viewer")]);
  });

  test("an account that GitHub does not report is an error, never a guess (S4)", async () => {
    serve("get", "/user", { status: 403, json: { message: "Resource not accessible by integration" } });
    serveGraphql({ data: { viewer: null } });
    await expect(makeGithub().reader.viewer(signal)).rejects.toMatchObject({
      code: "GITHUB_UNEXPECTED_ANSWER",
    });
  });

  test("the assumed account of an installation token is used only if GitHub has no GraphQL (S4)", async () => {
    serve("get", "/user", { status: 403, json: { message: "Resource not accessible by integration" } });
    server.use(http.post(API.replace(/v3$/, "graphql"), () => HttpResponse.json({}, { status: 404 })));
    const assumed = makeGithub({ assumeViewer: githubActionsViewer });
    expect(await assumed.reader.viewer(signal)).toEqual(githubActionsViewer);
    await expect(makeGithub().reader.viewer(signal)).rejects.toMatchObject({ code: "GITHUB_FORBIDDEN" });
  });

  test("the reader returns whether the credential may triage, if GitHub reports it", async () => {
    const repository = {
      full_name: REPO,
      id: 1,
      clone_url: "https://x.test/r.git",
      default_branch: "main",
      private: true,
    };
    const check = async (permissions: object | undefined, canTriage: boolean | null): Promise<void> => {
      serve("get", "/repos/octo/widgets", {
        json: { ...repository, ...(permissions && { permissions }) } as JsonBodyType,
      });
      expect(await makeGithub().reader.repository(REPO, signal)).toMatchObject({
        canTriage,
        isPrivate: true,
      });
    };
    await check({ admin: false, push: false, triage: true }, true);
    await check({ pull: true, push: false, triage: false }, false);
    await check(undefined, null);
  });
});
