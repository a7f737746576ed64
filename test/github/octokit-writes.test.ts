import { describe, expect, test } from "vitest";
import {
  API,
  failureOf,
  ISSUE,
  issue,
  makeGithub,
  ref,
  serve,
  signal,
  useHttpGithub,
} from "../support/github/http-github.ts";

useHttpGithub();

describe("writes", () => {
  test("writes never follow a redirect", async () => {
    const gone = { code: "GITHUB_ISSUE_GONE", details: { reason: "transferred" } };
    const moved = { status: 301, headers: { location: `${API}/repositories/1/issues/9` } };
    serve("post", `${ISSUE}/comments`, moved);
    serve("post", `${ISSUE}/labels`, moved);
    serve("delete", `${ISSUE}/labels/bug`, moved);
    serve("patch", ISSUE, { ...moved, status: 307 });
    const { writer } = makeGithub();
    await expect(writer.publishComment(ref, "x", signal)).rejects.toMatchObject(gone);
    await expect(writer.addLabels(ref, ["bug"], signal)).rejects.toMatchObject(gone);
    await expect(writer.removeLabel(ref, "bug", signal)).rejects.toMatchObject(gone);
    await expect(writer.closeIssue(ref, "completed", signal)).rejects.toMatchObject(gone);
  });

  test("an issue is closed as not planned when GitHub does not know the reason duplicate (D6)", async () => {
    const closing = serve(
      "patch",
      ISSUE,
      { status: 422, json: { message: "Validation Failed" } },
      { json: { ...issue, state: "closed", state_reason: "not_planned" } },
    );
    const closed = await makeGithub().writer.closeIssue(ref, "duplicate", signal);
    expect(closed).toMatchObject({ state: "closed", stateReason: "not_planned" });
    const sent = await Promise.all(closing.requests.map((request) => request.json() as Promise<unknown>));
    expect(sent).toEqual([
      { state: "closed", state_reason: "duplicate" },
      { state: "closed", state_reason: "not_planned" },
    ]);
  });

  test("a close that is refused for another reason fails (D6)", async () => {
    serve("patch", ISSUE, { status: 422, json: { message: "Validation Failed" } });
    await expect(makeGithub().writer.closeIssue(ref, "completed", signal)).rejects.toBeInstanceOf(Error);
  });

  test.each([
    ["GITHUB_UNREACHABLE", { status: 502 }],
    ["GITHUB_RATE_LIMITED", { status: 429, headers: { "retry-after": "1" } }],
  ] as const)("no write to an issue is sent again after %s (T7, policy 8)", async (code, answer) => {
    const served = [
      serve("post", `${ISSUE}/comments`, answer),
      serve("post", `${ISSUE}/labels`, answer),
      serve("delete", `${ISSUE}/labels/:name`, answer),
      serve("delete", "/repos/octo/widgets/issues/comments/1", answer),
      serve("patch", ISSUE, answer),
      serve("post", `${ISSUE}/suggestions/:id/dismiss`, answer),
    ];
    const { writer, suggestions } = makeGithub({ maxOutageMs: 60_000 });
    const writes = [
      writer.publishComment(ref, "x", signal),
      writer.addLabels(ref, ["bug"], signal),
      writer.removeLabel(ref, "bug", signal),
      writer.deleteComment(ref, 1, signal),
      writer.closeIssue(ref, "completed", signal),
      writer.reopenIssue(ref, signal),
      suggestions.dismiss(ref, 1, signal),
    ];
    for (const write of writes) expect(await failureOf(write)).toMatchObject({ code });
    expect(served.map(({ requests }) => requests.length)).toEqual([1, 1, 1, 1, 2, 1]);
  });

  test("a label's name is always sent as one path segment (S6)", async () => {
    const removed = serve("delete", `${ISSUE}/labels/:name`, { status: 404 });
    await makeGithub().writer.removeLabel(ref, "a/../b?c#d", signal);
    expect(removed.requests[0]?.url).toBe(`${API}${ISSUE}/labels/a%2F..%2Fb%3Fc%23d`);
  });

  test("a refused body is GITHUB_WRITE_REFUSED, a locked conversation GITHUB_ISSUE_LOCKED, any other 403 GITHUB_FORBIDDEN", async () => {
    serve(
      "post",
      `${ISSUE}/comments`,
      { status: 422, json: { message: "body is too long" } },
      { status: 403, json: { message: "Unable to create comment because issue is locked." } },
      { status: 403, json: { message: "Resource not accessible by integration" } },
    );
    const { writer } = makeGithub();
    await expect(writer.publishComment(ref, "x", signal)).rejects.toMatchObject({
      code: "GITHUB_WRITE_REFUSED",
    });
    await expect(writer.publishComment(ref, "x", signal)).rejects.toMatchObject({
      code: "GITHUB_ISSUE_LOCKED",
    });
    await expect(writer.publishComment(ref, "x", signal)).rejects.toMatchObject({ code: "GITHUB_FORBIDDEN" });
    serve("post", "/repos/octo/is-locked/issues/7/comments", {
      status: 403,
      json: { message: "Resource not accessible by integration" },
    });
    await expect(
      writer.publishComment({ repo: "octo/is-locked", number: 7 }, "x", signal),
    ).rejects.toMatchObject({ code: "GITHUB_FORBIDDEN" });
  });
});
