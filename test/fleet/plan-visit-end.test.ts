import { expect, test } from "vitest";
import { planVisitEnd } from "../../src/fleet/visits/plan-visit-end.ts";

const HOUR_MS = 3_600_000;
const WEEK_MS = 7 * 24 * HOUR_MS;

test.each([
  ["applied", "needs-triage", 0, null],
  ["skipped", "not-labelled", 0, null],
  ["skipped", "failed-recently", 0, HOUR_MS],
  ["skipped", "repository-missing", 0, HOUR_MS],
  ["skipped", "repository-closed", 0, 24 * HOUR_MS],
  ["skipped", "draining", 0, 0],
  ["locked", "locked-by-another-parent", 0, 60_000],
  ["requeued", "issue-changed", 0, 60_000],
  ["failed", "checkout-failed", 1, 60_000],
  ["failed", "checkout-failed", 2, HOUR_MS],
  ["failed", "checkout-failed", 3, 4 * HOUR_MS],
  ["failed", "checkout-failed", 99, WEEK_MS],
] as const)(
  "a visit that ended as %s (%s, failure %i in a row) is repeated after %s ms (null: only after a change on GitHub)",
  (status, reason, failures, againMs) => {
    const end = planVisitEnd({ status, reason, failures }, WEEK_MS);
    expect(end).toEqual(againMs === null ? { type: "done" } : { type: "again", delayMs: againMs });
  },
);
