import { describe, expect, test } from "vitest";
import type { Issue, IssueComment } from "../../src/github/index.ts";
import { snapshotHash } from "../../src/triage/index.ts";
import { at, commentBy, dependabot, issueWith, maintainer, reporter, viewer } from "./facts.ts";

const comment = commentBy(reporter, "10:00");
const hashOf = (issue: Partial<Issue>, comments: IssueComment[]): string =>
  snapshotHash(issueWith({ labels: ["needs-triage", "bug"], ...issue }), comments, viewer.id);
const before = hashOf({}, [comment]);

describe("snapshotHash changes with facts that matter and with nothing else (S13, T4)", () => {
  test.each<[string, boolean, Partial<Issue>, IssueComment[]]>([
    ["nothing", false, {}, [comment]],
    ["title", true, { title: "other" }, [comment]],
    ["body", true, { body: "other" }, [comment]],
    ["closed", true, { state: "closed" }, [comment]],
    ["locked", true, { locked: true }, [comment]],
    ["an added label", true, { labels: ["needs-triage", "bug", "p1"] }, [comment]],
    ["a removed label", true, { labels: ["bug"] }, [comment]],
    ["labels in another order", false, { labels: ["bug", "needs-triage"] }, [comment]],
    ["a new comment", true, {}, [comment, commentBy(maintainer, "11:00")]],
    ["a new comment of a deleted account", true, {}, [comment, commentBy(null, "11:00")]],
    ["a deleted comment", true, {}, []],
    ["an edited comment", true, {}, [{ ...comment, body: "other", updatedAt: at("11:00") }]],
    ["a bot's comment", false, {}, [comment, commentBy(dependabot, "11:00")]],
    ["a comment of ours", false, {}, [comment, commentBy({ ...viewer, isBot: false }, "11:00")]],
    ["updatedAt alone", false, { updatedAt: at("12:00") }, [comment]],
  ])("%s: %s", (_, changes, issue, comments) => {
    expect(hashOf(issue, comments) !== before).toBe(changes);
  });
});
