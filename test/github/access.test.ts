import { createVirtualClock } from "agent-tty/testing";
import { expect, test } from "vitest";
import { type AccessExaminer, createOctokitSetup } from "../../src/github/index.ts";
import { type Answer, API, REPO, serve, signal, useHttpGithub, user } from "../support/github/http-github.ts";

useHttpGithub();

const date = "Sun, 22 Nov 2026 06:00:00 GMT";

function examinerOf(token: string): AccessExaminer {
  return createOctokitSetup({
    apiUrl: API,
    credential: { type: "token", token },
    userAgent: "test",
    clock: createVirtualClock(),
    pacing: "none",
  }).access;
}

test("the kind of a token is determined from its prefix and from the scopes that GitHub reports", async () => {
  const rows: [string, Answer, object][] = [
    [
      "ghp_x",
      { json: user, headers: { "x-oauth-scopes": "repo, read:org", date } },
      { kind: "classic", scopes: ["repo", "read:org"], serverTimeMs: Date.parse(date), expiresAt: null },
    ],
    ["0123456789abcdef", { json: user, headers: { "x-oauth-scopes": "" } }, { kind: "classic", scopes: [] }],
    [
      "github_pat_x",
      { json: user, headers: { "github-authentication-token-expiration": "2026-12-01 00:00:00 UTC" } },
      { kind: "fine-grained", scopes: null, expiresAt: "2026-12-01 00:00:00 UTC", login: "reporter" },
    ],
    ["ghs_x", { status: 403, json: { message: "no" } }, { kind: "installation", scopes: null }],
    ["other", { json: user }, { kind: "unknown" }],
  ];
  for (const [token, answer, facts] of rows) {
    serve("get", "/user", answer);
    expect(await examinerOf(token).credential(signal)).toMatchObject(facts);
  }
});

test("a token that GitHub rejects is an error", async () => {
  serve("get", "/user", { status: 401, json: { message: "Bad credentials" } });
  await expect(examinerOf("ghp_x").credential(signal)).rejects.toMatchObject({
    code: "GITHUB_TOKEN_REJECTED",
  });
});

const repository = {
  full_name: REPO,
  id: 1,
  clone_url: "https://github.example/octo/widgets.git",
  default_branch: "main",
  private: true,
  permissions: { pull: true },
};

test("the access check asks for permissions without writing anything", async () => {
  const rows: [Answer, Answer, Answer, object][] = [
    [
      { json: { ...repository, has_issues: false, archived: true } },
      { json: [] },
      { status: 422, json: { message: "Validation Failed" } },
      { hasIssues: false, isArchived: true, canTriage: false, isPrivate: true },
    ],
    [
      { json: { ...repository, permissions: null } },
      { status: 409, json: { message: "Git Repository is empty." } },
      { status: 422, json: { message: "Validation Failed" } },
      { canTriage: null, mayReadContents: "granted", mayWriteIssues: "granted" },
    ],
    [
      { json: repository },
      { status: 404, json: { message: "Not Found" } },
      { status: 403, json: { message: "Resource not accessible by personal access token" } },
      { mayReadContents: "refused", mayWriteIssues: "refused" },
    ],
    [
      { json: repository },
      { status: 451, json: { message: "no" } },
      { status: 451, json: { message: "no" } },
      { mayReadContents: "unknown", mayWriteIssues: "unknown" },
    ],
  ];
  for (const [read, commits, labels, facts] of rows) {
    serve("get", `/repos/${REPO}`, read);
    serve("get", `/repos/${REPO}/commits`, commits);
    const { requests } = serve("post", `/repos/${REPO}/labels`, labels);
    expect(await examinerOf("github_pat_x").repository(REPO, signal)).toMatchObject(facts);
    expect(await requests[0]?.json()).toEqual({ name: "" });
  }
});
