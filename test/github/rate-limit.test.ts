import { createVirtualClock } from "agent-tty/testing";
import { http, HttpResponse } from "msw";
import { describe, expect, test } from "vitest";
import {
  type Answer,
  API,
  failureOf,
  ISSUE,
  issue,
  makeGithub,
  ref,
  serve,
  signal,
  until,
  useHttpGithub,
} from "../support/github/http-github.ts";

const server = useHttpGithub();

describe("rate limits", () => {
  const secondary = { message: "You have exceeded a secondary rate limit" };

  /** The wait is on the clock; no request is sent before it has passed. */
  const check = async (limited: Answer, expectedWaitMs: number): Promise<void> => {
    const clock = createVirtualClock();
    const log: string[] = [];
    const { requests } = serve("get", ISSUE, limited, { json: issue });
    const looked = makeGithub({ clock, log }).reader.issue(ref, signal);
    await until(() => log.length === 1);
    await clock.advance(expectedWaitMs - 1);
    expect(requests).toHaveLength(1);
    await clock.advance(1);
    expect(await looked).toMatchObject({ type: "found" });
    expect(requests).toHaveLength(2);
    expect(log.join()).toMatch(/rate limit.*read octo\/widgets#7/);
  };

  test("a rate-limited request waits for retry-after, otherwise until the reset, otherwise a minute", async () => {
    expect.hasAssertions();
    const resetSeconds = Date.UTC(2026, 0, 1) / 1_000 + 90;
    await check({ status: 403, headers: { "retry-after": "7" } }, 7_000);
    await check({ status: 429, headers: { "retry-after": "7", "x-ratelimit-remaining": "0" } }, 7_000);
    await check(
      { status: 403, headers: { "x-ratelimit-remaining": "0", "x-ratelimit-reset": `${resetSeconds}` } },
      91_000,
    );
    await check({ status: 403, json: secondary }, 60_000);
    await check({ status: 429 }, 60_000);
  });

  test("the reset is waited for by GitHub's clock where ours is off", async () => {
    expect.hasAssertions();
    const resetSeconds = Date.UTC(2026, 0, 1) / 1_000 + 90;
    const limits = { "x-ratelimit-remaining": "0", "x-ratelimit-reset": `${resetSeconds}` };
    const ahead = { ...limits, date: "Wed, 31 Dec 2025 23:59:00 GMT" };
    await check({ status: 403, headers: ahead }, 151_000);
    await check({ status: 403, headers: { ...limits, date: "Thu, 01 Jan 2026 00:01:00 GMT" } }, 31_000);
  });

  test("GraphQL's limit, which GitHub answers with status 200, is waited for as well", async () => {
    const clock = createVirtualClock();
    const log: string[] = [];
    serve("get", "/user", { status: 403, json: { message: "Resource not accessible by integration" } });
    const resetSeconds = Date.UTC(2026, 0, 1) / 1_000 + 90;
    const limits = { "x-ratelimit-remaining": "0", "x-ratelimit-reset": `${resetSeconds}` };
    const limited = { data: null, errors: [{ type: "RATE_LIMITED", message: "API rate limit exceeded" }] };
    const viewer = { data: { viewer: { databaseId: 9, login: "app[bot]" } } };
    let requests = 0;
    server.use(
      http.post(API.replace(/v3$/, "graphql"), () => {
        requests += 1;
        return requests === 1 ? HttpResponse.json(limited, { headers: limits }) : HttpResponse.json(viewer);
      }),
    );
    const looked = makeGithub({ clock, log, pacing: "github" }).reader.viewer(signal);
    await until(() => log.length === 1);
    await clock.advance(90_999);
    expect(requests).toBe(1);
    await clock.advance(1);
    expect(await looked).toEqual({ id: 9, login: "app[bot]", isBot: true });
    expect(log.join()).toMatch(/rate limit.*ask which account the token acts as/);
  });

  test("a wait longer than allowed fails at once, and the error names the wait", async () => {
    serve("get", ISSUE, { status: 403, headers: { "retry-after": "3600" } });
    await expect(makeGithub().reader.issue(ref, signal)).rejects.toMatchObject({
      code: "GITHUB_RATE_LIMITED",
      remedy: expect.stringContaining("60 min") as string,
    });
  });

  test("a rate-limited comment fails at once with the waiting time, because the caller's read of the issue would be stale (policy 8)", async () => {
    const { requests } = serve("post", `${ISSUE}/comments`, {
      status: 403,
      headers: { "retry-after": "240" },
      json: secondary,
    });
    await expect(makeGithub().writer.publishComment(ref, "text", signal)).rejects.toMatchObject({
      code: "GITHUB_RATE_LIMITED",
      details: { waitMs: 240_000 },
    });
    expect(requests).toHaveLength(1);
  });

  test("a comment that GitHub calls submitted too quickly is rate-limited, though its status is 422", async () => {
    const errors = [{ resource: "IssueComment", code: "custom", message: "was submitted too quickly" }];
    serve("post", `${ISSUE}/comments`, { status: 422, json: { message: "Validation Failed", errors } });
    await expect(makeGithub().writer.publishComment(ref, "text", signal)).rejects.toMatchObject({
      code: "GITHUB_RATE_LIMITED",
      details: { waitMs: 60_000 },
    });
  });

  test("the number of waits is bounded, too", async () => {
    const clock = createVirtualClock();
    const { requests } = serve("get", ISSUE, { status: 429, headers: { "retry-after": "1" } });
    const log: string[] = [];
    const failed = failureOf(makeGithub({ clock, log }).reader.issue(ref, signal));
    for (let waits = 1; waits <= 5; waits += 1) {
      await until(() => log.length === waits);
      await clock.advance(1_000);
    }
    expect(await failed).toMatchObject({ code: "GITHUB_RATE_LIMITED" });
    expect(requests).toHaveLength(6);
  });

  test("a wait ends when the caller's signal aborts", async () => {
    const log: string[] = [];
    const controller = new AbortController();
    serve("get", ISSUE, { status: 403, headers: { "retry-after": "7" } });
    const stopped = failureOf(makeGithub({ log }).reader.issue(ref, controller.signal));
    await until(() => log.length === 1);
    controller.abort(new Error("stopped"));
    expect(await stopped).toMatchObject({ message: "stopped" });
  });
});

test("writes are a second apart, and a write that is stopped while it waits is never sent", async () => {
  const { requests } = serve("post", `${ISSUE}/labels`, { json: [] });
  const { writer } = makeGithub({ pacing: "github" });
  const controller = new AbortController();
  const startedMs = performance.now();
  const first = writer.addLabels(ref, ["one"], signal);
  const stopped = failureOf(writer.addLabels(ref, ["two"], controller.signal));
  const third = writer.addLabels(ref, ["three"], signal);
  await first;
  controller.abort(new Error("stopped"));
  expect(await stopped).toMatchObject({ message: "stopped" });
  await third;
  expect(performance.now() - startedMs).toBeGreaterThanOrEqual(950);
  expect(await Promise.all(requests.map((request) => request.json()))).toEqual([
    { labels: ["one"] },
    { labels: ["three"] },
  ]);
});
