import { expect, test } from "vitest";
import { statisticsSchema } from "../../src/board/index.ts";
import { quantile, statisticsOf } from "../../src/board/source/index.ts";
import {
  selectedTriageRun,
  transition,
  type TriageRunEnd,
  type TriageRunFacts,
} from "../../src/runs/index.ts";

const DAY_MS = 86_400_000;
const NOW_MS = Date.UTC(2026, 0, 31, 12);

interface Given {
  daysAgo: number;
  end: TriageRunEnd | null;
  usd?: number | null;
  /** In milliseconds. */
  waited?: number | null;
  took?: number;
}

function counted({ daysAgo, end, usd = null, waited = null, took = 1_000 }: Given): {
  facts: TriageRunFacts;
  usd: number | null;
} {
  const atMs = NOW_MS - daysAgo * DAY_MS;
  const issue = { title: "t", url: "u", waitingSinceMs: waited === null ? null : atMs - waited };
  let facts = selectedTriageRun({ runId: "20260101T000000Z", repo: "o/r", number: 1, atMs, issue });
  facts = transition(facts, { type: "phase-entered", phase: "triaging", atMs: atMs + took });
  if (end !== null) facts = transition(facts, { type: "run-settled", end, atMs: atMs + 3 * took });
  return { facts, usd };
}

const applied = (outcome: string): TriageRunEnd => ({ status: "applied", reason: "needs-triage", outcome });
const failed: TriageRunEnd = {
  status: "failed",
  reason: "x",
  outcome: null,
  error: { code: "X", message: "m", remedy: "r" },
};

test("outcomes per day, times per phase, cost per outcome and queue ages cover the runs that began in those days (O20)", () => {
  const runs = [
    counted({ daysAgo: 1, end: applied("needs-info"), usd: 1, waited: 30 * 60_000 }),
    counted({ daysAgo: 1, end: applied("needs-info"), usd: 3, waited: 2 * DAY_MS, took: 3_000 }),
    counted({ daysAgo: 2, end: failed, waited: 40 * DAY_MS, took: 5_000 }),
    counted({ daysAgo: 0.1, end: null, usd: 9 }),
    counted({ daysAgo: 8, end: applied("wontfix"), usd: 50, waited: 1 }),
  ];
  const statistics = statisticsSchema.parse(statisticsOf(runs, 7, NOW_MS));
  expect(statistics.outcomes).toEqual([
    { day: "2026-01-29", counts: { failed: 1 } },
    { day: "2026-01-30", counts: { "needs-info": 2 } },
  ]);
  expect(statistics.phases).toMatchObject([
    { phase: "selected", count: 4, p50Ms: 2_000 },
    { phase: "triaging", count: 3, p50Ms: 6_000, p25Ms: 4_000 },
  ]);
  expect(statistics.costs).toEqual([{ outcome: "needs-info", count: 2, meanUsd: 2, totalUsd: 4 }]);
  const ages = statistics.queueAges.map(({ upToMs, count }) => [
    upToMs === null ? null : upToMs / 3_600_000,
    count,
  ]);
  expect(ages).toEqual([
    [1, 1],
    [6, 0],
    [24, 0],
    [72, 1],
    [168, 0],
    [720, 0],
    [null, 1],
  ]);
});

test("statistics say when they count only the newest runs of their days (B12)", () => {
  const runs = [counted({ daysAgo: 1, end: failed }), counted({ daysAgo: 8, end: failed })];
  expect(statisticsOf(runs, 7, NOW_MS, true).onlyNewest).toBeNull();
  expect(statisticsOf(runs.slice(0, 1), 7, NOW_MS, true).onlyNewest).toBe(1);
});

test("a quantile is interpolated between its two neighbours", () => {
  const rows: [readonly number[], number, number][] = [
    [[], 0.5, 0],
    [[4], 0.95, 4],
    [[1, 3], 0.5, 2],
    [[0, 10, 20, 30], 0.25, 7.5],
    [[1, 2, 3, 4, 5], 1, 5],
  ];
  for (const [sorted, part, expected] of rows)
    expect([sorted, part, quantile(sorted, part)]).toEqual([sorted, part, expected]);
});
