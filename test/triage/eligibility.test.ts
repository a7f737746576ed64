import { describe, expect, test } from "vitest";
import type { Issue, IssueComment, TriageNotes } from "../../src/github/index.ts";
import { decideEligibility, markerExtra, needsLabelEvents } from "../../src/triage/index.ts";
import { eligibilityFacts, type EligibilityCase } from "./eligibility-facts.ts";
import {
  at,
  commentBy,
  dependabot,
  issueWith,
  labelEvent,
  maintainer,
  notesAt,
  reporter,
  viewer,
} from "./facts.ts";

function check(facts: EligibilityCase, expected: string): void {
  const verdict = decideEligibility(eligibilityFacts(facts));
  expect(`${verdict.type} ${verdict.reason}`).toBe(expected);
}

const needsInfo = issueWith({ labels: ["needs-info", "bug"] });
const asked = notesAt("14:15", "needs-info", { category: "bug" });
const NEEDS_INFO = "eligible needs-info-with-new-activity";
const NOTHING_NEW = "skipped needs-info-without-new-activity";

describe("every issue gets a reason (T1)", () => {
  test.each<[string, EligibilityCase, string]>([
    ["needs-triage", {}, "eligible needs-triage"],
    ["label in another case", { issue: issueWith({ labels: ["Needs-Triage"] }) }, "eligible needs-triage"],
    ["pull request", { issue: issueWith({ isPullRequest: true }) }, "skipped pull-request"],
    ["closed", { issue: issueWith({ state: "closed" }) }, "skipped closed"],
    ["locked conversation", { issue: issueWith({ locked: true }) }, "skipped issue-locked"],
    ["none of our states", { issue: issueWith({ labels: ["bug"] }) }, "skipped not-labelled"],
    ["homoglyph label", { issue: issueWith({ labels: ["needs‑triage"] }) }, "skipped not-labelled"],
    ["needs-info, never asked", { issue: needsInfo }, NEEDS_INFO],
    ["needs-info, excluded", { issue: needsInfo, includeNeedsInfo: false }, "skipped needs-info-excluded"],
    [
      "none of our states, needs-info excluded",
      { issue: issueWith({ labels: ["bug"] }), includeNeedsInfo: false },
      "skipped not-labelled",
    ],
    [
      "both, needs-info excluded",
      { issue: issueWith({ labels: ["needs-info", "needs-triage"] }), includeNeedsInfo: false },
      "eligible needs-triage",
    ],
    [
      "needs-triage wins over needs-info",
      { issue: issueWith({ labels: ["needs-info", "needs-triage"] }) },
      "eligible needs-triage",
    ],
  ])("%s", (_, facts, expected) => check(facts, expected));
});

describe("a needs-info issue is eligible after new activity by the reporter (A28, T2, S5, S14)", () => {
  const noDigest = { issue: needsInfo, notes: asked };
  const digest = markerExtra({ state: "needs-info", category: "bug", close: null, labels: "set" }, needsInfo);
  const askedWithDigest = notesAt("14:15", "needs-info", digest);
  const old = (time: string, edited: string): IssueComment =>
    commentBy(reporter, time, { id: 1, updatedAt: at(edited) });

  test.each<[string, EligibilityCase, string]>([
    ["nothing new", { ...noDigest, comments: [asked.comment] }, NOTHING_NEW],
    ["reply", { ...noDigest, comments: [commentBy(reporter, "14:16")] }, NEEDS_INFO],
    ["reply before the notes", { ...noDigest, comments: [commentBy(reporter, "14:14")] }, NOTHING_NEW],
    [
      "reply in the same second",
      { ...noDigest, comments: [commentBy(reporter, "14:15", { id: asked.comment.id + 1 })] },
      NEEDS_INFO,
    ],
    [
      "comment before it in the same second",
      { ...noDigest, comments: [commentBy(reporter, "14:15", { id: 1 })] },
      NOTHING_NEW,
    ],
    ["old comment edited after the notes", { ...noDigest, comments: [old("14:00", "14:20")] }, NEEDS_INFO],
    ["old comment edited in the same second", { ...noDigest, comments: [old("14:00", "14:15")] }, NEEDS_INFO],
    ["old comment edited before the notes", { ...noDigest, comments: [old("14:00", "14:10")] }, NOTHING_NEW],
    ["body unchanged", { issue: needsInfo, notes: askedWithDigest }, NOTHING_NEW],
    [
      "body edited",
      { issue: { ...needsInfo, body: "It throws, with 2.1." }, notes: askedWithDigest },
      NEEDS_INFO,
    ],
    [
      "body with other line ends",
      { issue: { ...needsInfo, body: "It throws.\r\n" }, notes: askedWithDigest },
      NOTHING_NEW,
    ],
    [
      "body edited, but the older notes have no digest",
      { ...noDigest, issue: { ...needsInfo, body: "new" } },
      NOTHING_NEW,
    ],
    ["maintainer", { ...noDigest, comments: [commentBy(maintainer, "14:16")] }, NOTHING_NEW],
    [
      "maintainer, when anyone counts",
      { ...noDigest, activity: "anyone", comments: [commentBy(maintainer, "14:16")] },
      NEEDS_INFO,
    ],
    [
      "bot, when anyone counts",
      { ...noDigest, activity: "anyone", comments: [commentBy(dependabot, "14:16")] },
      NOTHING_NEW,
    ],
    [
      "our own account, when anyone counts",
      { ...noDigest, activity: "anyone", comments: [commentBy({ ...viewer, isBot: false }, "14:16")] },
      NOTHING_NEW,
    ],
    ["deleted account", { ...noDigest, comments: [commentBy(null, "14:16")] }, NOTHING_NEW],
    [
      "deleted account, when anyone counts",
      { ...noDigest, activity: "anyone", comments: [commentBy(null, "14:16")] },
      NEEDS_INFO,
    ],
    [
      "deleted reporter and deleted commenter",
      { issue: { ...needsInfo, author: null }, notes: asked, comments: [commentBy(null, "14:16")] },
      NOTHING_NEW,
    ],
    [
      "another login with the same id",
      { ...noDigest, comments: [commentBy({ ...reporter, login: "renamed" }, "14:16")] },
      NEEDS_INFO,
    ],
    [
      "the reporter's login with another id",
      { ...noDigest, comments: [commentBy({ ...reporter, id: 99 }, "14:16")] },
      NOTHING_NEW,
    ],
    [
      "reporter quoting our marker",
      { ...noDigest, comments: [commentBy(reporter, "14:16", { body: asked.comment.body })] },
      NEEDS_INFO,
    ],
    [
      "issue opened by a bot that comments",
      {
        issue: { ...needsInfo, author: dependabot },
        notes: asked,
        comments: [commentBy(dependabot, "14:16")],
      },
      NOTHING_NEW,
    ],
  ])("%s", (_, facts, expected) => check(facts, expected));
});

describe("a needs-triage issue with triage notes waits (policy 6)", () => {
  const notes = notesAt("14:15", "needs-triage");
  test.each<[string, EligibilityCase, string]>([
    ["at once", { notes }, "skipped cooldown"],
    ["a bot comments", { notes, comments: [commentBy(dependabot, "14:16")] }, "skipped cooldown"],
    ["anyone comments", { notes, comments: [commentBy(maintainer, "14:16")] }, "eligible needs-triage"],
    [
      "needs-triage added again",
      {
        notes,
        labelEvents: [
          labelEvent("unlabeled", "needs-triage", "14:20"),
          labelEvent("labeled", "needs-triage", "14:21"),
        ],
      },
      "eligible needs-triage",
    ],
    [
      "needs-triage added before the notes",
      { notes, labelEvents: [labelEvent("labeled", "needs-triage", "14:00")] },
      "skipped cooldown",
    ],
    [
      "needs-triage removed in the same second as the notes",
      { notes, labelEvents: [labelEvent("unlabeled", "needs-triage", "14:15")] },
      "skipped cooldown",
    ],
    [
      "a label without a role changes",
      { notes, labelEvents: [labelEvent("labeled", "p1", "14:20")] },
      "skipped cooldown",
    ],
    ["just before the cooldown", { notes, now: "2026-05-07T14:14:59Z" }, "skipped cooldown"],
    ["after the cooldown", { notes, now: "2026-05-07T14:15:00Z" }, "eligible needs-triage"],
  ])("%s", (_, facts, expected) => check(facts, expected));
});

describe("after a comment about conflicting labels (policy 4)", () => {
  const notes = notesAt("14:15", "needs-info", { labels: "leave" });
  const conflicting = issueWith({ labels: ["needs-triage", "bug", "enhancement"] });
  const settled = [labelEvent("unlabeled", "enhancement", "14:30")];
  test.each<[string, EligibilityCase, string]>([
    ["nothing happened, and nothing is repaired", { issue: conflicting, notes }, "skipped cooldown"],
    [
      "settled",
      { issue: issueWith({ labels: ["needs-triage", "bug"] }), notes, labelEvents: settled },
      "eligible needs-triage",
    ],
    ["conflict settled, on needs-info", { issue: needsInfo, notes, labelEvents: settled }, NEEDS_INFO],
    ["conflict not settled, on needs-info", { issue: needsInfo, notes }, NOTHING_NEW],
  ])("%s", (_, facts, expected) => check(facts, expected));
});

describe("an interrupted publication is repaired (policy 7)", () => {
  const ready = notesAt("14:15", "ready-for-agent", { category: "bug" });
  const declined = notesAt("14:15", "wontfix", { category: "bug", close: "not_planned" });
  const wontfix = issueWith({ labels: ["wontfix", "bug"] });
  const half = [labelEvent("labeled", "ready-for-agent", "14:16")];
  test.each<[string, EligibilityCase, string]>([
    ["only the comment was published", { notes: ready }, "repair repair"],
    [
      "half of the labels were set",
      { notes: ready, issue: issueWith({ labels: ["needs-triage", "ready-for-agent"] }), labelEvents: half },
      "repair repair",
    ],
    [
      "the reporter has replied in the meantime",
      { notes: ready, comments: [commentBy(reporter, "14:16")] },
      "repair repair",
    ],
    ["from needs-info", { notes: ready, issue: needsInfo }, "repair repair"],
    [
      "needs-triage added again after the notes",
      { notes: ready, labelEvents: [labelEvent("labeled", "needs-triage", "14:20")] },
      "eligible needs-triage",
    ],
    [
      "our label removed after the notes",
      { notes: ready, labelEvents: [labelEvent("unlabeled", "ready-for-agent", "14:20")] },
      "eligible needs-triage",
    ],
    [
      "another category added after the notes",
      { notes: ready, labelEvents: [labelEvent("labeled", "enhancement", "14:20")] },
      "eligible needs-triage",
    ],
    [
      "needs-info added by hand after the notes",
      { notes: ready, issue: needsInfo, labelEvents: [labelEvent("labeled", "needs-info", "14:20")] },
      NOTHING_NEW,
    ],
    [
      "needs-triage added before the notes",
      { notes: ready, labelEvents: [labelEvent("labeled", "needs-triage", "14:00")] },
      "repair repair",
    ],
    ["only the close is missing", { notes: declined, issue: wontfix }, "repair repair"],
    [
      "the reporter has replied before labels and close",
      { notes: declined, comments: [commentBy(reporter, "14:16")] },
      "eligible needs-triage",
    ],
    [
      "the reporter has replied before the close",
      { notes: declined, issue: wontfix, comments: [commentBy(reporter, "14:16")] },
      "skipped not-labelled",
    ],
    [
      "the person whose account wrote the notes has replied before the close",
      {
        notes: declined,
        issue: wontfix,
        comments: [commentBy({ ...viewer, isBot: false }, "14:16", { body: "Please keep it open." })],
      },
      "skipped not-labelled",
    ],
    [
      "the accepted close of a proposal",
      {
        notes: notesAt("14:15", "wontfix", { close: "not_planned", proposes: "not_planned" }),
        comments: [commentBy(reporter, "14:16")],
      },
      "repair repair",
    ],
    [
      "closed, then reopened by a person",
      { notes: declined, issue: { ...wontfix, stateReason: "reopened" } },
      "skipped not-labelled",
    ],
    ["complete", { notes: asked, issue: needsInfo }, NOTHING_NEW],
    [
      "an unknown category is left unchanged",
      {
        notes: notesAt("14:15", "needs-triage"),
        issue: issueWith({ labels: ["needs-triage", "bug"] }),
        labelEvents: [labelEvent("labeled", "bug", "14:20")],
      },
      "skipped cooldown",
    ],
  ])("%s", (_, facts, expected) => check(facts, expected));
});

test("label events are needed only where they can change the result (P13)", () => {
  const ask = (issue: Issue, notes: TriageNotes | null, comments: IssueComment[] = []): boolean =>
    needsLabelEvents(eligibilityFacts({ issue, notes, comments }));
  expect(ask(issueWith(), null)).toBe(false);
  expect(ask(issueWith(), notesAt("14:15", "needs-triage"))).toBe(true);
  expect(ask(issueWith(), notesAt("14:15", "needs-triage"), [commentBy(reporter, "14:20")])).toBe(false);
  expect(ask(needsInfo, asked)).toBe(false);
  expect(ask(needsInfo, notesAt("14:15", "ready-for-agent"))).toBe(true);
  expect(ask(needsInfo, notesAt("14:15", "needs-info", { labels: "leave" }))).toBe(true);
  expect(ask(issueWith({ state: "closed" }), notesAt("14:15", "needs-triage"))).toBe(false);
  expect(() => check({ notes: notesAt("14:15", "needs-triage"), labelEvents: null }, "")).toThrow("needed");
  check({ issue: needsInfo, notes: asked, labelEvents: null }, NOTHING_NEW);
});
