import { describe, expect, test } from "vitest";
import type { IssueRef, LinkedPullRequest } from "../../../src/github/index.ts";
import type { GithubWorld } from "./github-world.ts";

/** Tests the common answers of every implementation about the pull requests that close an issue. */
export function pullRequestContract(
  name: string,
  make: () => Promise<GithubWorld & Partial<AsyncDisposable>>,
): void {
  const { signal } = new AbortController();

  interface Stage {
    world: GithubWorld;
    issue: IssueRef;
    owner: string;
    open: (isDraft?: boolean) => Promise<IssueRef>;
    /** Returns the facts about one pull request, as the reader reports them. */
    seen: (pull: IssueRef) => Promise<LinkedPullRequest | undefined>;
  }

  const onStage = async (act: (stage: Stage) => Promise<void>): Promise<void> => {
    const world = await make();
    const issue = await world.createIssue({ title: "an issue" });
    try {
      await act({
        world,
        issue,
        owner: world.repo.split("/")[0] ?? "",
        open: (isDraft = false) => world.openPullRequest({ body: `Closes #${issue.number}`, isDraft }),
        seen: async ({ number }) => {
          const linked = await world.reader.linkedPullRequests(issue, signal);
          if (linked.type === "unknown") throw new Error(linked.reason);
          return linked.pullRequests.find((one) => one.number === number);
        },
      });
    } finally {
      await world[Symbol.asyncDispose]?.();
    }
  };

  describe(`${name}: pull requests that close an issue`, () => {
    test("are reported, and those that only mention the issue are not (O4)", () =>
      onStage(async ({ world, issue, open }) => {
        expect(await world.reader.linkedPullRequests(issue, signal)).toEqual({
          type: "found",
          pullRequests: [],
          unread: [],
        });
        await world.openPullRequest({ body: `See #${issue.number}.` });
        await world.openPullRequest({ body: `Closes #${issue.number}0` });
        const pulls = [await open(), await open(true)];
        const linked = await world.reader.linkedPullRequests(issue, signal);
        const numbers = linked.type === "found" ? linked.pullRequests.map(({ number }) => number) : [];
        expect(numbers.toSorted((a, b) => a - b)).toEqual(pulls.map(({ number }) => number));
      }));

    test("are reported with their state (O5)", () =>
      onStage(async ({ world, open, seen }) => {
        const [merged, closed, draft] = [await open(), await open(), await open(true)];
        expect(await seen(merged)).toMatchObject({ state: "open", endedAt: null, isDraft: false });
        await world.merge(merged);
        await world.closePullRequest(closed);
        expect(await seen(merged)).toMatchObject({ state: "merged", endedAt: expect.any(String) as string });
        expect(await seen(closed)).toMatchObject({ state: "closed", endedAt: expect.any(String) as string });
        expect(await seen(draft)).toMatchObject({ state: "open", isDraft: true });
      }));

    test("are reported with the results of both kinds of checks (O6)", () =>
      onStage(async ({ world, open, seen }) => {
        const [pull, other] = [await open(), await open()];
        const checks = async (): Promise<unknown[]> => {
          const { checks, checksSignature, headSha } = (await seen(pull)) ?? {};
          return [checks, checksSignature === null ? null : checksSignature === headSha];
        };
        expect(await checks()).toEqual(["none", null]);
        await world.check(pull, "unit", "passing");
        expect(await checks()).toEqual(["passing", null]);
        await world.check(pull, "browser", "pending");
        expect(await checks()).toEqual(["pending", null]);
        await world.check(pull, "browser", "failing");
        expect(await checks()).toEqual(["failing", true]);
        await world.check(pull, "browser", "passing");
        await world.setStatus(pull, "failing");
        expect(await checks()).toEqual(["failing", true]);
        await world.setStatus(pull, "passing");
        expect(await checks()).toEqual(["passing", null]);
        expect(await seen(other)).toMatchObject({ checks: "none" });
      }));

    test("are reported with the last decision of their reviewers (O7)", () =>
      onStage(async ({ world, owner, open, seen }) => {
        const pull = await open();
        expect(await seen(pull)).toMatchObject({ review: "none", feedbackSignature: null });
        await world.review(pull, owner, "comment");
        const commented = await seen(pull);
        expect(commented).toMatchObject({ review: "none", hasUnresolvedHumanComments: true });
        await world.review(pull, owner, "request-changes");
        const objected = await seen(pull);
        expect(objected).toMatchObject({ review: "changes_requested", hasUnresolvedHumanComments: true });
        expect(objected?.feedbackSignature).not.toBe(commented?.feedbackSignature);
        await world.review(pull, owner, "approve");
        expect(await seen(pull)).toMatchObject({
          review: "approved",
          hasUnresolvedHumanComments: false,
          feedbackSignature: null,
        });
      }));

    test("are reported with their mergeability (O8)", () =>
      onStage(async ({ world, open, seen }) => {
        const pull = await open();
        expect(await seen(pull)).toMatchObject({ mergeability: "mergeable" });
        await world.setConflict(pull, true);
        expect(await seen(pull)).toMatchObject({ mergeability: "conflicting" });
      }));

    test("are not reported for a missing issue (O13)", () =>
      onStage(async ({ world }) => {
        const missing = { repo: world.repo, number: 999 };
        expect(await world.reader.linkedPullRequests(missing, signal)).toEqual({
          type: "unknown",
          reason: "not-found",
        });
        const stopped = AbortSignal.abort(new Error("stopped"));
        await expect(world.reader.linkedPullRequests(missing, stopped)).rejects.toThrow("stopped");
      }));
  });
}
