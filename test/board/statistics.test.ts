import { join } from "node:path";
import { array, assert, asyncProperty, nat } from "fast-check";
import Libsql from "libsql";
import { expect, test } from "vitest";
import { createVirtualClock } from "agent-tty/testing";
import { type StatisticsDocument, statisticsSchema } from "../../src/board/index.ts";
import { statisticsOf } from "../../src/board/source/statistics.ts";
import {
  selectedTriageRun,
  transition,
  type TriageRunEnd,
  type TriageRunFacts,
} from "../../src/runs/index.ts";
import { openStore, type Store } from "../../src/store/index.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const DAY_MS = 86_400_000;
const NOW_MS = Date.UTC(2026, 0, 31, 12);
const RUN_ID = "20260101T000000Z";

interface Given {
  daysAgo: number;
  end: TriageRunEnd | null;
  usd?: number | null;
  /** How long the issue had waited, in milliseconds. */
  waited?: number | null;
  took?: number;
}

function run(
  { daysAgo, end, usd = null, waited = null, took = 1_000 }: Given,
  number: number,
): TriageRunFacts {
  const atMs = Math.round(NOW_MS - daysAgo * DAY_MS);
  const issue = { title: "t", url: "u", waitingSinceMs: waited === null ? null : atMs - waited };
  let facts = selectedTriageRun({ runId: RUN_ID, repo: "o/r", number, atMs, issue });
  facts = transition(facts, { type: "phase-entered", phase: "triaging", atMs: atMs + took });
  const usage = { inputTokens: 1, outputTokens: 1, usd: usd ?? 0 };
  if (usd !== null)
    facts = transition(facts, {
      type: "result-reported",
      result: { category: "bug", commentUrl: null, usage },
    });
  return end === null ? facts : transition(facts, { type: "run-settled", end, atMs: atMs + 3 * took });
}

const applied = (outcome: string): TriageRunEnd => ({ status: "applied", reason: "needs-triage", outcome });
const failed: TriageRunEnd = {
  status: "failed",
  reason: "x",
  outcome: null,
  error: { code: "X", message: "m", remedy: "r" },
};

interface Stage extends AsyncDisposable {
  path: string;
  store: Store;
  statistics(days: number): Promise<StatisticsDocument>;
}

async function stageOf(given: readonly Given[]): Promise<Stage> {
  const directory = await temporaryDirectory();
  const path = join(directory.path, "store.sqlite");
  const store = await openStore({ path, clock: createVirtualClock(NOW_MS) });
  store.recordBatch({ runId: RUN_ID, parent: "p", provider: "local", repos: ["o/r"], startedAtMs: 1 });
  for (const [index, one] of given.entries()) store.saveRun(run(one, index + 1));
  return {
    path,
    store,
    statistics: async (days) => statisticsSchema.parse(await statisticsOf(store, days, NOW_MS)),
    [Symbol.asyncDispose]: async () => {
      store[Symbol.dispose]();
      await directory[Symbol.asyncDispose]();
    },
  };
}

test("outcomes per day, times per phase, cost per outcome and queue ages cover the runs that began in those days (O20)", async () => {
  await using stage = await stageOf([
    { daysAgo: 1, end: applied("needs-info"), usd: 1, waited: 30 * 60_000 },
    { daysAgo: 1, end: applied("needs-info"), usd: 3, waited: 2 * DAY_MS, took: 3_000 },
    { daysAgo: 2, end: failed, waited: 40 * DAY_MS, took: 5_000 },
    { daysAgo: 0.1, end: null, usd: 9 },
    { daysAgo: 8, end: applied("wontfix"), usd: 50, waited: 1 },
  ]);
  const statistics = await stage.statistics(7);
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

test("statistics count every run when there are more than 5,000 (B2)", async () => {
  await using stage = await stageOf([{ daysAgo: 1, end: applied("wontfix"), usd: 0.5, waited: 1 }]);
  const connection = new Libsql(stage.path);
  const columns = (
    connection.prepare("SELECT name FROM pragma_table_info('runs')").all() as { name: string }[]
  ).map(({ name }) => name);
  const later = "json_set(phase_history, '$[1].atMs', json_extract(phase_history, '$[0].atMs') + n.value)";
  const changed: Record<string, string> = { number: "n.value", phase_history: later };
  connection.exec(
    `INSERT INTO runs (${columns.join(", ")}) SELECT ${columns.map((name) => changed[name] ?? name).join(", ")}
     FROM runs, (WITH RECURSIVE n (value) AS (SELECT 2 UNION ALL SELECT value + 1 FROM n WHERE value <= 6000) SELECT value FROM n) AS n`,
  );
  connection.close();
  const { outcomes, costs, phases, queueAges } = await stage.statistics(30);
  expect(outcomes).toEqual([{ day: "2026-01-30", counts: { wontfix: 6_001 } }]);
  expect(costs).toEqual([{ outcome: "wontfix", count: 6_001, meanUsd: 0.5, totalUsd: 3_000.5 }]);
  // The first run took 1,000 ms, the others 2 to 6,001 ms.
  expect(phases[0]).toEqual({
    phase: "selected",
    count: 6_001,
    p25Ms: 1_501,
    p50Ms: 3_001,
    p75Ms: 4_501,
    p95Ms: 5_701,
  });
  expect(queueAges[0]).toEqual({ upToMs: 3_600_000, count: 6_001 });
});

test("statistics follow a run through its phases, and no longer count a deleted run (B1)", async () => {
  await using stage = await stageOf([]);
  const before = run({ daysAgo: 1, end: null, waited: DAY_MS }, 1);
  const counts = async (): Promise<[string, number][]> =>
    (await stage.statistics(7)).phases.map(({ phase, p50Ms }) => [phase, p50Ms]);
  stage.store.saveRun(before);
  expect(await counts()).toEqual([["selected", 1_000]]);
  stage.store.saveRun(transition(before, { type: "run-settled", end: failed, atMs: NOW_MS }));
  expect(await counts()).toEqual([
    ["selected", 1_000],
    ["triaging", DAY_MS - 1_000],
  ]);
  const connection = new Libsql(stage.path);
  connection.exec("DELETE FROM runs");
  expect(connection.prepare("SELECT count(*) AS rows FROM run_times").get()).toMatchObject({ rows: 0 });
  connection.close();
});

test("quartiles are interpolated between the two nearest times, for any times", async () => {
  const oracle = (sorted: readonly number[], part: number): number => {
    const place = (sorted.length - 1) * part;
    const [below = 0, above = below] = sorted.slice(Math.floor(place), Math.ceil(place) + 1);
    return below + (above - below) * (place % 1);
  };
  await assert(
    asyncProperty(array(nat({ max: 40 * DAY_MS }), { minLength: 1, maxLength: 12 }), async (times) => {
      await using stage = await stageOf(times.map((took) => ({ daysAgo: 2, end: null, took })));
      const sorted = times.toSorted((one, other) => one - other);
      const { phases } = await stage.statistics(7);
      const { p25Ms, p50Ms, p75Ms, p95Ms } = phases[0] ?? {};
      const expected = [0.25, 0.5, 0.75, 0.95].map((part) => oracle(sorted, part));
      for (const [index, found] of [p25Ms, p50Ms, p75Ms, p95Ms].entries())
        expect(found).toBeCloseTo(expected[index] ?? 0, 3);
    }),
    { numRuns: 20 },
  );
});
