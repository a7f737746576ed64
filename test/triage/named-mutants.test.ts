import { describe, expect, test } from "vitest";
import { decideEligibility, defaultLabelNames, roleOf } from "../../src/triage/index.ts";
import { at, commentBy, issueWith, notesAt, reporter, viewer } from "./facts.ts";

describe("a label of another alphabet is no role (S6)", () => {
  const names = { ...defaultLabelNames, bug: "kaputt" };
  test.each([
    ["KAPUTT", "bug"],
    ["\u212Aaputt", null],
    ["kaputt\u0307", null],
  ])("%s", (label, role) => expect(roleOf(label, names)).toBe(role));
});

test("a further comment of the trusted author who wrote the notes is nobody's activity (T2)", () => {
  const author = { id: 9, login: "colleague", isBot: false };
  const notes = notesAt("14:15", "needs-info", { category: "bug" });
  const reasonAfter = (by: typeof author): string =>
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
  expect(reasonAfter(reporter)).toBe("needs-info-with-new-activity");
});
