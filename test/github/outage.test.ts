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

const MINUTE_MS = 60_000;
const AWAY: readonly Answer[] = [{ status: 502 }, { status: 503 }, { status: 504, html: "gateway" }];

/**
 * The waits for a loopback GitHub, which double up to a second. A longer step of the clock would also pass the deadline of the
 * next request.
 */
const waitMs = (waits: number): number => Math.min(20 * 2 ** (waits - 1), 1_000);

describe("an unavailable GitHub", () => {
  /** Makes one successful read, so that the URL is known to be right, then serves the given answers. */
  async function answered(maxOutageMs: number, ...answers: Answer[]) {
    const clock = createVirtualClock();
    const log: string[] = [];
    const { requests } = serve("get", ISSUE, { json: issue }, ...answers);
    const { reader } = makeGithub({ clock, log, maxOutageMs });
    await reader.issue(ref, signal);
    return { clock, log, requests, reader };
  }

  test("a read waits through minutes of 502, 503 and 504, on the injected clock, and then succeeds (T7)", async () => {
    const failures = Array.from({ length: 130 }, (_, index) => AWAY[index % AWAY.length] ?? {});
    const { clock, log, requests, reader } = await answered(10 * MINUTE_MS, ...failures, { json: issue });
    const read = reader.issue(ref, signal);
    for (let waits = 1; waits <= failures.length; waits += 1) {
      await until(() => log.length === waits);
      await clock.advance(waitMs(waits));
    }
    expect(await read).toMatchObject({ type: "found" });
    expect(requests).toHaveLength(1 + failures.length + 1);
    expect(log[0]).toMatch(/GitHub is unavailable.*read octo\/widgets#7.*502.*waiting/);
  });

  test("the wait is bounded, and the failure is typed", async () => {
    const { clock, log, reader } = await answered(100, { status: 502 });
    const failed = failureOf(reader.issue(ref, signal));
    for (let waits = 1; waits <= 2; waits += 1) {
      await until(() => log.length === waits);
      await clock.advance(waitMs(waits));
    }
    expect(await failed).toMatchObject({ code: "GITHUB_UNREACHABLE" });
  });

  test("the wait ends when the caller's signal aborts, e.g. at the run deadline", async () => {
    const { log, reader } = await answered(10 * MINUTE_MS, { status: 502 });
    const deadline = new AbortController();
    const failed = failureOf(reader.issue(ref, deadline.signal));
    await until(() => log.length === 1);
    deadline.abort(new Error("the run deadline"));
    expect(await failed).toMatchObject({ message: "the run deadline" });
  });

  test("before the first answer a request is attempted only three times, because the URL may be wrong", async () => {
    const clock = createVirtualClock();
    const log: string[] = [];
    const { requests } = serve("get", ISSUE, { status: 502 });
    const failed = failureOf(
      makeGithub({ clock, log, maxOutageMs: 10 * MINUTE_MS }).reader.issue(ref, signal),
    );
    for (let waits = 1; waits <= 2; waits += 1) {
      await until(() => log.length === waits);
      await clock.advance(waitMs(waits));
    }
    expect(await failed).toMatchObject({ code: "GITHUB_UNREACHABLE" });
    expect(requests).toHaveLength(3);
  });

  test.each([
    ["passing errors", [{ message: "Something went wrong." }], "GITHUB_UNREACHABLE", 3],
    ["a typed error", [{ type: "FORBIDDEN", message: "Not yours." }], "GITHUB_UNEXPECTED_ANSWER", 1],
    [
      "a refused query",
      [{ message: "No field 'x'.", extensions: { code: "undefinedField" } }],
      "GITHUB_UNEXPECTED_ANSWER",
      1,
    ],
  ] as const)(
    "a GraphQL query that GitHub answers with %s and status 200 fails with GitHub's message",
    async (_, errors, code, requests) => {
      serve("get", "/user", { status: 403, json: { message: "Resource not accessible by integration" } });
      let asked = 0;
      server.use(
        http.post(API.replace(/v3$/, "graphql"), () => {
          asked += 1;
          return HttpResponse.json({ data: null, errors });
        }),
      );
      const [clock, log] = [createVirtualClock(), [] as string[]];
      const failed = failureOf(makeGithub({ clock, log, maxOutageMs: 10 * MINUTE_MS }).reader.viewer(signal));
      for (let waits = 1; waits < requests; waits += 1) {
        await until(() => log.length === waits);
        await clock.advance(waitMs(waits));
      }
      expect(await failed).toMatchObject({
        code,
        message: expect.stringContaining(errors[0].message) as string,
      });
      expect(asked).toBe(requests);
    },
  );

  test("a refused request is not retried", async () => {
    const { requests, reader } = await answered(10 * MINUTE_MS, { status: 422, json: { message: "no" } });
    expect(await failureOf(reader.issue(ref, signal))).toMatchObject({ code: "GITHUB_UNEXPECTED_ANSWER" });
    expect(requests).toHaveLength(2);
  });
});
