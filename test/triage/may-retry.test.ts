import { describe, expect, test } from "vitest";
import { mayRetry, type UnpublishedRun } from "../../src/triage/index.ts";
import { commentBy, dependabot, issueWith, reporter, viewer } from "./facts.ts";

const at = (time: string): number => Date.parse(`2026-04-30T${time}:00Z`);
const failed = (time: string): UnpublishedRun => ({
  readAtMs: at(time) - 600_000,
  endedAtMs: at(time),
  cause: "triage-agent",
});
const lost = (time: string): UnpublishedRun => ({ ...failed(time), cause: "infrastructure" });

interface Row {
  runs: UnpublishedRun[];
  now: string;
  comments?: ReturnType<typeof commentBy>[];
  /** The time of the issue's last change on GitHub. */
  changed?: string;
  cooldownMs?: number;
}

function check({ runs, now, comments = [], changed = "08:00", cooldownMs = 7 * 86_400_000 }: Row): boolean {
  const issue = issueWith({ updatedAt: new Date(at(changed)).toISOString() });
  const facts = { issue, comments, viewerId: viewer.id };
  return mayRetry(runs, facts, { cooldownMs, nowMs: at(now) });
}

describe("mayRetry decides when an issue may be triaged again after a failure (S14, T9)", () => {
  test.each<[string, Row, boolean]>([
    ["nothing failed", { runs: [], now: "10:00" }, true],
    ["at once", { runs: [failed("10:00")], now: "10:00" }, false],
    ["after an hour", { runs: [failed("10:00")], now: "11:00" }, true],
    ["two failures, after an hour", { runs: [failed("10:00"), failed("08:00")], now: "11:00" }, false],
    ["two failures, after four", { runs: [failed("10:00"), failed("08:00")], now: "14:00" }, true],
    ["never longer than the cooldown", { runs: [failed("10:00")], now: "10:01", cooldownMs: 60_000 }, true],
    ["a lost connection", { runs: [lost("10:00")], now: "10:00" }, true],
    ["three lost connections", { runs: ["10:00", "09:50", "09:40"].map(lost), now: "10:00" }, true],
    ["four lost connections", { runs: ["10:00", "09:50", "09:40", "09:30"].map(lost), now: "10:00" }, false],
    ["a lost connection after a failure", { runs: [lost("10:00"), failed("09:50")], now: "10:30" }, false],
    [
      "a person's comment",
      { runs: [failed("10:00")], now: "10:05", comments: [commentBy(reporter, "10:02")] },
      true,
    ],
    [
      "a person's comment during the run",
      { runs: [failed("10:00")], now: "10:05", comments: [commentBy(reporter, "09:55")] },
      true,
    ],
    [
      "a comment that made the last of many runs outdated",
      {
        runs: ["10:00", "09:50", "09:40", "09:30"].map(lost),
        now: "10:05",
        comments: [commentBy(reporter, "09:55")],
      },
      false,
    ],
    [
      "a bot's comment, which changes the issue",
      {
        runs: [failed("10:00")],
        now: "10:05",
        comments: [commentBy(dependabot, "10:02")],
        changed: "10:02",
      },
      false,
    ],
    ["an edit of the issue", { runs: [failed("10:00")], now: "10:05", changed: "10:02" }, true],
  ])("%s", (_, row, expected) => expect(check(row)).toBe(expected));
});
