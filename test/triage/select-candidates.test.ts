import { expect, test } from "vitest";
import type { Issue } from "../../src/github/index.ts";
import { defaultLabelNames, selectCandidates } from "../../src/triage/index.ts";
import { at, issueWith } from "./facts.ts";

test("selectCandidates merges the lists: needs-triage first, the oldest first, each issue once, and no pull requests (T1)", () => {
  const issue = (number: number, createdAt: string, change: Partial<Issue> = {}): Issue =>
    issueWith({ ref: { repo: "octo/widgets", number }, createdAt: at(createdAt), ...change });
  const unclosed = { labels: ["wontfix", "bug"] };
  const lists = {
    needsTriage: [
      issue(5, "12:00"),
      issue(2, "10:00"),
      issue(9, "10:00"),
      issue(3, "09:00", { isPullRequest: true }),
    ],
    needsInfo: [issue(8, "11:00"), issue(5, "12:00"), issue(1, "08:00")],
    wontfix: [
      issue(20, "07:00", unclosed),
      issue(21, "07:00", { ...unclosed, stateReason: "reopened" }),
      issue(22, "07:00", { labels: ["wontfix", "enhancement"] }),
    ],
  };
  expect(selectCandidates(lists, defaultLabelNames).map(({ ref }) => ref.number)).toEqual([
    2, 9, 5, 1, 8, 20,
  ]);
});
