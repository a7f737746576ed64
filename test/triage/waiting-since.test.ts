import { expect, test } from "vitest";
import { waitingSinceMs } from "../../src/triage/index.ts";
import { at, commentBy, dependabot, issueWith, maintainer, notesAt, reporter, viewer } from "./facts.ts";

const asked = notesAt("14:15", "needs-info", { category: "bug" });
const before = commentBy(reporter, "10:00");
const answer = commentBy(reporter, "14:30");

const rows: [what: string, facts: Partial<Parameters<typeof waitingSinceMs>[0]>, expected: string | null][] =
  [
    ["an issue that has not been triaged waits since it was opened", {}, "09:00"],
    ["even when people have commented since", { comments: [before, answer] }, "09:00"],
    [
      "an issue with questions waits since the first answer",
      { notes: asked, comments: [before, commentBy(reporter, "14:40"), answer] },
      "14:30",
    ],
    [
      "an edited answer counts from the time of its edit",
      { notes: asked, comments: [{ ...before, updatedAt: at("14:50") }] },
      "14:50",
    ],
    [
      "a maintainer's comment does not count as the reporter's answer",
      { notes: asked, comments: [commentBy(maintainer, "14:20"), answer] },
      "14:30",
    ],
    [
      "a maintainer's comment counts when anyone may answer",
      { notes: asked, activity: "anyone", comments: [commentBy(maintainer, "14:20"), answer] },
      "14:20",
    ],
    [
      "comments by bots and by our own account never count as answers",
      { notes: asked, comments: [commentBy(dependabot, "14:20"), commentBy(viewer, "14:21")] },
      null,
    ],
    [
      "null when a label or the passing of time made the issue eligible again",
      { notes: asked, comments: [before] },
      null,
    ],
  ];

test.each(rows)("%s (T1)", (_, facts, expected) => {
  const since = waitingSinceMs({
    issue: issueWith(),
    comments: [],
    notes: null,
    viewerId: viewer.id,
    activity: "reporter",
    ...facts,
  });
  expect(since).toBe(expected === null ? null : Date.parse(at(expected)));
});
