import { describe, expect, test } from "vitest";
import { createVirtualClock } from "agent-tty/testing";
import { createOctokitGithub } from "../../src/github/index.ts";
import { startEmulatedGithub } from "../support/github/emulated-github.ts";
import { createFakeGithub } from "../support/github/fake-github.ts";

const { signal } = new AbortController();

describe("the emulated GitHub", () => {
  test("repeated reads cost only 304s (P13)", async () => {
    await using world = await startEmulatedGithub();
    const ref = await world.createIssue({ title: "an issue", labels: ["needs-triage"] });
    const ask = async (): Promise<void> => {
      await world.reader.listOpenIssues(world.repo, "needs-triage", signal);
      await world.reader.comments(ref, signal);
    };
    await ask();
    await ask();
    expect(world.proxy.requests.map(({ status }) => status)).toEqual([200, 200, 304, 304]);
  });

  test("a repeated read of an open pull request costs five 304s (P13)", async () => {
    await using world = await startEmulatedGithub();
    const ref = await world.createIssue({ title: "an issue" });
    await world.openPullRequest({ body: `Closes #${ref.number}` });
    for (let times = 0; times < 2; times += 1) await world.reader.linkedPullRequests(ref, signal);
    const statuses = [200, 304].flatMap((status) => Array.from({ length: 5 }, () => status));
    expect(world.proxy.requests.map(({ status }) => status)).toEqual(statuses);
  });

  test("a connection dropped after a comment was written leaves one comment (T7)", async () => {
    await using world = await startEmulatedGithub();
    const ref = await world.createIssue({ title: "an issue" });
    world.proxy.onRequest = ({ method }) => (method === "POST" ? { type: "drop-after" } : null);
    await expect(world.writer.publishComment(ref, "text", signal)).rejects.toMatchObject({
      code: "GITHUB_UNREACHABLE",
    });
    expect(await world.reader.comments(ref, signal)).toHaveLength(1);
    world.proxy.onRequest = ({ method }) => (method === "POST" ? { type: "drop-before" } : null);
    await expect(world.writer.publishComment(ref, "text", signal)).rejects.toMatchObject({
      code: "GITHUB_UNREACHABLE",
    });
    expect(await world.reader.comments(ref, signal)).toHaveLength(1);
  });

  test("an unknown token is rejected", async () => {
    await using world = await startEmulatedGithub();
    const stranger = createOctokitGithub({
      apiUrl: world.apiUrl,
      credential: { type: "token", token: "unknown" },
      userAgent: "test",
      clock: createVirtualClock(),
      pacing: "none",
    });
    await expect(stranger.reader.viewer(signal)).rejects.toMatchObject({ code: "GITHUB_TOKEN_REJECTED" });
  });
});

describe("the fake GitHub", () => {
  test("a call can fail before or after it takes effect", async () => {
    const fake = createFakeGithub({ clock: createVirtualClock() });
    const ref = await fake.createIssue({ title: "an issue" });
    const failing = (at: "before" | "after") => (call: { operation: string }, phase: "before" | "after") => {
      if (call.operation === "publishComment" && phase === at) throw new Error("crash");
    };
    fake.intercept = failing("before");
    await expect(fake.writer.publishComment(ref, "x", signal)).rejects.toThrow("crash");
    expect(await fake.reader.comments(ref, signal)).toHaveLength(0);
    fake.intercept = failing("after");
    await expect(fake.writer.publishComment(ref, "x", signal)).rejects.toThrow("crash");
    expect(await fake.reader.comments(ref, signal)).toHaveLength(1);
    expect(fake.calls.filter(({ operation }) => operation === "publishComment")).toHaveLength(2);
  });

  test("issues vanish, accounts are deleted, and pull requests are marked", async () => {
    const fake = createFakeGithub({ clock: createVirtualClock() });
    const ref = await fake.createIssue({ title: "an issue", labels: ["bug"] });
    fake.deleteAccount("reporter");
    const request = await fake.createPullRequest({ title: "a change", labels: ["bug"] });
    const listed = await fake.reader.listOpenIssues(fake.repo, "bug", signal);
    expect(listed.map(({ isPullRequest, author }) => [isPullRequest, author?.login])).toEqual([
      [false, "reporter"],
      [true, undefined],
    ]);
    expect(request.number).toBe(2);
    fake.remove(ref, "transferred");
    expect(await fake.reader.issue(ref, signal)).toEqual({ type: "gone", reason: "transferred" });
  });
});
