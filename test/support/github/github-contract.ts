import { describe, expect, test } from "vitest";
import type { IssueRef } from "../../../src/github/index.ts";
import { type GithubWorld, worldLabels, worldPeople } from "./github-world.ts";

/** Tests the common behaviour of every implementation of the two ports, on the fake and on the real adapter. */
export function githubContract(
  name: string,
  make: () => Promise<GithubWorld & Partial<AsyncDisposable>>,
): void {
  const { signal } = new AbortController();
  const { reporter, maintainer, viewer } = worldPeople;

  /** Runs a journey and then disposes the world if it is disposable. */
  const inWorld = async (journey: (world: GithubWorld) => Promise<void>): Promise<void> => {
    const world = await make();
    try {
      await journey(world);
    } finally {
      await world[Symbol.asyncDispose]?.();
    }
  };

  describe(`${name}: the GitHub ports`, () => {
    test("return the credential's account, the repository and its labels", () =>
      inWorld(async ({ reader, repo }) => {
        expect(await reader.viewer(signal)).toMatchObject({ login: viewer, isBot: false });
        expect(await reader.repository(repo, signal)).toMatchObject({ name: repo, isPrivate: false });
        expect(await reader.labels(repo, signal)).toEqual(expect.arrayContaining([...worldLabels]));
        await expect(reader.repository("octo/nowhere", signal)).rejects.toMatchObject({
          code: "GITHUB_REPOSITORY_MISSING",
          remedy: expect.stringContaining("token") as string,
        });
      }));

    test("list open issues of one label, oldest first (T1)", () =>
      inWorld(async ({ reader, repo, ...world }) => {
        const refs: IssueRef[] = [];
        for (const labels of [["bug", "needs-triage"], ["needs-triage"], ["bug"]]) {
          refs.push(await world.createIssue({ title: "an issue", body: "text", labels }));
        }
        await world.setState(refs[1] as IssueRef, maintainer, "closed");
        const numbers = async (label: string): Promise<number[]> =>
          (await reader.listOpenIssues(repo, label, signal)).map(({ ref }) => ref.number);
        expect(await numbers("needs-triage")).toEqual([refs[0]?.number]);
        expect(await numbers("bug")).toEqual([refs[0]?.number, refs[2]?.number]);
        expect(await numbers("wontfix")).toEqual([]);
      }));

    test("list open and closed issues by their last update since a given time (D1)", () =>
      inWorld(async ({ reader, repo, ...world }) => {
        const refs: IssueRef[] = [];
        for (const title of ["first", "second", "third"]) refs.push(await world.createIssue({ title }));
        await world.setState(refs[1] as IssueRef, maintainer, "closed");
        const from = { since: null, page: 1 };
        const listed = await reader.updatedIssues(repo, from, signal);
        expect(listed.map(({ ref }) => ref.number).toSorted((a, b) => a - b)).toEqual(
          refs.map(({ number }) => number),
        );
        expect(listed.find(({ ref }) => ref.number === refs[1]?.number)).toMatchObject({ state: "closed" });
        const times = listed.map(({ updatedAt }) => updatedAt);
        expect(times).toEqual(times.toSorted());
        expect(await reader.updatedIssues(repo, { ...from, page: 2 }, signal)).toEqual([]);
        const since = "2999-01-01T00:00:00Z";
        expect(await reader.updatedIssues(repo, { since, page: 1 }, signal)).toEqual([]);
      }));

    test("look up an issue, and report a missing one", () =>
      inWorld(async ({ reader, repo, ...world }) => {
        const ref = await world.createIssue({ title: "Title", body: "Body", labels: ["bug"] });
        expect(await reader.issue(ref, signal)).toMatchObject({
          type: "found",
          issue: {
            ref,
            title: "Title",
            body: "Body",
            state: "open",
            labels: ["bug"],
            author: { login: reporter },
            isPullRequest: false,
            locked: false,
          },
        });
        const missing = { repo, number: 999 };
        expect(await reader.issue(missing, signal)).toEqual({ type: "gone", reason: "not-found" });
        await expect(reader.comments(missing, signal)).rejects.toMatchObject({ code: "GITHUB_ISSUE_GONE" });
      }));

    test("list comments ascending, with their authors, and edits (T2)", () =>
      inWorld(async ({ reader, writer, ...world }) => {
        const ref = await world.createIssue({ title: "an issue" });
        const first = await world.comment(ref, reporter, "one");
        const published = await writer.publishComment(ref, "two", signal);
        await world.editComment(ref, reporter, first.id, "one, edited");
        const comments = await reader.comments(ref, signal);
        expect(comments.map(({ id, body }) => [id, body])).toEqual([
          [first.id, "one, edited"],
          [published.id, "two"],
        ]);
        expect(comments.map(({ author }) => author?.login)).toEqual([reporter, viewer]);
        expect(comments[1]?.author).toEqual(await reader.viewer(signal));
      }));

    test("list every comment, not only the first page", () =>
      inWorld(async ({ reader, writer, ...world }) => {
        const ref = await world.createIssue({ title: "an issue" });
        for (let index = 0; index < 105; index += 1)
          await writer.publishComment(ref, `comment ${index}`, signal);
        const comments = await reader.comments(ref, signal);
        expect(comments).toHaveLength(105);
        expect(comments.at(-1)?.body).toBe("comment 104");
      }));

    test("add and remove single labels, and leave the others (S6)", () =>
      inWorld(async ({ reader, writer, ...world }) => {
        const ref = await world.createIssue({ title: "an issue", labels: ["needs-triage"] });
        await world.label(ref, maintainer, "a label of theirs");
        await writer.addLabels(ref, ["bug"], signal);
        await writer.addLabels(ref, ["bug"], signal);
        await writer.removeLabel(ref, "needs-triage", signal);
        await writer.removeLabel(ref, "needs-triage", signal);
        const found = await reader.issue(ref, signal);
        expect(found.type === "found" && found.issue.labels.toSorted()).toEqual(["a label of theirs", "bug"]);
        const events = await reader.labelEvents(ref, signal);
        expect(events.map(({ label, action }) => `${action} ${label}`)).toEqual(
          expect.arrayContaining(["labeled a label of theirs", "labeled bug", "unlabeled needs-triage"]),
        );
        expect(events.find(({ label }) => label === "bug")?.actor?.login).toBe(viewer);
      }));

    test("close an issue as not planned, even twice", () =>
      inWorld(async ({ reader, writer, ...world }) => {
        const ref = await world.createIssue({ title: "an issue" });
        await writer.closeIssue(ref, "not_planned", signal);
        await writer.closeIssue(ref, "not_planned", signal);
        expect(await reader.issue(ref, signal)).toMatchObject({
          issue: { state: "closed", stateReason: "not_planned" },
        });
      }));

    test("reopen an issue and delete our comment, even twice (T10)", () =>
      inWorld(async ({ reader, writer, ...world }) => {
        const ref = await world.createIssue({ title: "an issue" });
        const theirs = await world.comment(ref, reporter, "one");
        const ours = await writer.publishComment(ref, "two", signal);
        await writer.closeIssue(ref, "not_planned", signal);
        for (let times = 0; times < 2; times += 1) {
          await writer.reopenIssue(ref, signal);
          await writer.deleteComment(ref, ours.id, signal);
        }
        expect(await reader.issue(ref, signal)).toMatchObject({ issue: { state: "open" } });
        expect((await reader.comments(ref, signal)).map(({ id }) => id)).toEqual([theirs.id]);
      }));

    test("report a locked issue", () =>
      inWorld(async ({ reader, repo, ...world }) => {
        const ref = await world.createIssue({ title: "an issue" });
        await world.lock(ref, repo.split("/")[0] ?? "");
        expect(await reader.issue(ref, signal)).toMatchObject({ issue: { locked: true } });
      }));

    test("write nothing to a missing issue", () =>
      inWorld(async ({ writer, repo }) => {
        const missing = { repo, number: 999 };
        await expect(writer.publishComment(missing, "x", signal)).rejects.toMatchObject({
          code: "GITHUB_ISSUE_GONE",
        });
        await expect(writer.addLabels(missing, ["bug"], signal)).rejects.toMatchObject({
          code: "GITHUB_ISSUE_GONE",
        });
        await expect(writer.closeIssue(missing, "completed", signal)).rejects.toMatchObject({
          code: "GITHUB_ISSUE_GONE",
        });
      }));

    test("stop at once when the signal is aborted", () =>
      inWorld(async ({ reader, writer, ...world }) => {
        const ref = await world.createIssue({ title: "an issue" });
        const stopped = AbortSignal.abort(new Error("stopped"));
        await expect(reader.issue(ref, stopped)).rejects.toThrow("stopped");
        await expect(writer.publishComment(ref, "x", stopped)).rejects.toThrow("stopped");
        expect(await reader.comments(ref, signal)).toEqual([]);
      }));
  });
}
