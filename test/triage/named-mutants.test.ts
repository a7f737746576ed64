import { describe, expect, test } from "vitest";
import type { Person } from "../../src/github/index.ts";
import { decideEligibility, defaultLabelNames, roleOf } from "../../src/triage/index.ts";
import { decideDelivered } from "../../src/triage/batch/run/decide-delivered.ts";
import { at, commentBy, issueWith, notesAt, reporter, viewer } from "./facts.ts";

describe("a label with a letter of another alphabet has no role (S6)", () => {
  const names = { ...defaultLabelNames, bug: "kaputt" };
  test.each([
    ["KAPUTT", "bug"],
    ["\u212Aaputt", null],
    ["kaputt\u0307", null],
  ])("%s", (label, role) => expect(roleOf(label, names)).toBe(role));
});

test("a comment by the reporter can show a vulnerability report even when the outcome is invalid (S16)", () => {
  const problem = { code: "not-json", message: "it is not JSON" } as const;
  const comments = [commentBy(reporter, "14:30", { body: "I can read other users' messages." })];
  const decision = decideDelivered(
    { issue: issueWith(), comments, asked: [] },
    { type: "invalid", problem, text: "" },
    { type: "not-attempted" },
  );
  expect(decision.policy).toContain("security-report");
});

test("a further comment of the trusted author who wrote the notes does not count as activity (T2)", () => {
  const author = { id: 9, login: "colleague", isBot: false };
  const notes = notesAt("14:15", "needs-info", { category: "bug" });
  const reasonAfter = (by: Person): string =>
    decideEligibility({
      issue: issueWith({ labels: ["needs-info", "bug"] }),
      comments: [commentBy(by, "14:30")],
      labelEvents: [],
      notes: { ...notes, comment: { ...notes.comment, author } },
      areNotesTrusted: true,
      viewerId: viewer.id,
      settings: { labels: defaultLabelNames, activity: "anyone", cooldownMs: 1, includeNeedsInfo: true },
      nowMs: Date.parse(at("15:00")),
    }).reason;
  expect(reasonAfter(author)).toBe("needs-info-without-new-activity");
  // Our own account, although another trusted author wrote the notes (S14).
  expect(reasonAfter({ ...viewer, isBot: false })).toBe("needs-info-without-new-activity");
  expect(reasonAfter(reporter)).toBe("needs-info-with-new-activity");
});
