import { expect, test } from "vitest";
import { findTriageNotes, type Person } from "../../src/github/index.ts";
import { decideEligibility, defaultLabelNames } from "../../src/triage/index.ts";
import { at, commentBy, issueWith, ref, reporter, viewer } from "./facts.ts";

/**
 * Cases from coder/agent-tty's AFK triage (Apache-2.0), before its #138. A comment without a name is the reporter's, or ours if
 * it is a marker. If no author was listed as trusted, the original program trusted everybody. We then trust only ourselves (S4),
 * so the one such case names a trusted author.
 */
const cases: {
  labels: string[];
  comments: [time: string, body: string, by?: string][];
  trusted?: string[];
  eligible: boolean;
}[] = [
  { labels: ["needs-triage"], comments: [], eligible: true },
  { labels: ["needs-info"], comments: [], eligible: true },
  {
    labels: ["needs-info"],
    comments: [
      ["14:15", marker(123)],
      ["14:16", "Here is the requested detail."],
    ],
    eligible: true,
  },
  {
    labels: ["needs-info"],
    comments: [
      ["14:14", "Earlier activity."],
      ["14:15", marker(123)],
    ],
    eligible: false,
  },
  { labels: ["bug"], comments: [], eligible: false },
  {
    labels: ["needs-info"],
    comments: [
      ["14:00", "Follow-up.", "reporter"],
      ["14:30", marker(123), "attacker"],
    ],
    trusted: ["attacker"],
    eligible: false,
  },
  {
    labels: ["needs-info"],
    comments: [
      ["14:00", "Follow-up.", "reporter"],
      ["14:30", marker(123), "attacker"],
    ],
    trusted: ["triage-bot"],
    eligible: true,
  },
  {
    labels: ["needs-info"],
    comments: [
      ["14:00", "Follow-up.", "reporter"],
      ["14:30", marker(123), "triage-bot"],
    ],
    trusted: ["triage-bot", "ops-bot"],
    eligible: false,
  },
  {
    labels: ["needs-info"],
    comments: [
      ["14:15", marker(123)],
      ["15:00", "Bumps vite.", "dependabot[bot]"],
      ["15:01", "CI is green now.", "github-actions[bot]"],
    ],
    eligible: false,
  },
  // Stricter than the original program: only the reporter's activity counts.
  {
    labels: ["needs-info"],
    comments: [
      ["14:15", marker(123), "triage-bot"],
      ["15:00", "ping", "maintainer"],
    ],
    eligible: false,
  },
  // A marker that names another issue does not count.
  { labels: ["needs-info"], comments: [["15:00", marker(999)]], eligible: true },
];

test.each(cases.map((facts, index) => [index + 1, facts] as const))(
  "decideEligibility agrees with case %i of coder/agent-tty's table (A28, T1)",
  (_, facts) => {
    const issue = issueWith({ labels: facts.labels });
    const comments = facts.comments.map(([time, body, by]) =>
      commentBy(by === undefined ? (body.startsWith("<!--") ? viewer : reporter) : personCalled(by), time, {
        body,
      }),
    );
    const trust = { viewerId: viewer.id, trustedAuthors: facts.trusted ?? [], keys: [] };
    const verdict = decideEligibility({
      issue,
      comments,
      labelEvents: [],
      notes: findTriageNotes({ comments, ref, trust }).notes,
      areNotesTrusted: true,
      viewerId: viewer.id,
      settings: { labels: defaultLabelNames, activity: "reporter", cooldownMs: 0, includeNeedsInfo: true },
      nowMs: Date.parse(at("16:00")),
    });
    expect(verdict.type).toBe(facts.eligible ? "eligible" : "skipped");
  },
);

function marker(issue: number): string {
  return `<!-- afk-triage:v1 issue=${issue} outcome=needs-info run=20260430T141500Z -->`;
}

function personCalled(login: string): Person {
  if (login === "reporter") return reporter;
  if (login === "triage-bot") return viewer;
  return { id: 100 + login.length, login, isBot: login.endsWith("[bot]") };
}
