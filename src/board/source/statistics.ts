import { setImmediate } from "node:timers/promises";
import type { StatisticsDocument } from "../api/index.ts";
import { runPhases } from "../../runs/index.ts";
import type { DayResults, Store, TimeSpan } from "../../store/index.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const AGE_EDGES_MS = [HOUR_MS, 6 * HOUR_MS, DAY_MS, 3 * DAY_MS, 7 * DAY_MS, 30 * DAY_MS];

/**
 * Returns the statistics of all runs that began within `days` before `nowMs` (milliseconds since the Unix epoch), however many
 * there are (B2). A run in progress counts only for its phases so far. `store` null: a home without runs.
 */
export async function statisticsOf(
  store: Store | null,
  days: number,
  nowMs: number,
): Promise<StatisticsDocument> {
  const span = { afterMs: nowMs - days * DAY_MS, untilMs: nowMs };
  const results = store?.dayResults(span) ?? [];
  const waits = store?.waits(span, AGE_EDGES_MS) ?? [];
  return {
    schema: "afk-triage/board-statistics@1",
    days,
    outcomes: outcomesByDay(results),
    phases: store === null ? [] : await phaseTimes(store, span),
    costs: costs(results),
    queueAges: [...AGE_EDGES_MS, null].map((upToMs, bin) => ({ upToMs, count: waits[bin] ?? 0 })),
  };
}

function outcomesByDay(results: readonly DayResults[]): StatisticsDocument["outcomes"] {
  const days = new Map<string, Record<string, number>>();
  for (const { day, result, runs } of results) {
    const date = new Date(day * DAY_MS).toISOString().slice(0, 10);
    days.set(date, { ...days.get(date), [result]: runs });
  }
  return [...days].map(([day, counts]) => ({ day, counts }));
}

async function phaseTimes(store: Store, span: TimeSpan): Promise<StatisticsDocument["phases"]> {
  const phases: StatisticsDocument["phases"] = [];
  for (const phase of runPhases) {
    const sorted = store.phaseTimes(span, phase);
    const [p25Ms, p50Ms, p75Ms, p95Ms] = [0.25, 0.5, 0.75, 0.95].map((part) => quantile(sorted, part)) as [
      number,
      number,
      number,
      number,
    ];
    if (sorted.length > 0) phases.push({ phase, count: sorted.length, p25Ms, p50Ms, p75Ms, p95Ms });
    // Other requests are answered between two phases.
    await setImmediate();
  }
  return phases;
}

/** Returns a quantile, interpolated between the two nearest values; 0 without values. */
function quantile(sorted: ArrayLike<number>, part: number): number {
  const at = (sorted.length - 1) * part;
  const [below, above] = [sorted[Math.floor(at)] ?? 0, sorted[Math.ceil(at)] ?? 0];
  return below + (above - below) * (at - Math.floor(at));
}

function costs(results: readonly DayResults[]): StatisticsDocument["costs"] {
  const spent = new Map<string, { count: number; totalUsd: number }>();
  for (const { result, usdRuns, usd } of results) {
    const { count, totalUsd } = spent.get(result) ?? { count: 0, totalUsd: 0 };
    if (usdRuns > 0) spent.set(result, { count: count + usdRuns, totalUsd: totalUsd + usd });
  }
  return [...spent]
    .map(([outcome, { count, totalUsd }]) => ({ outcome, count, meanUsd: totalUsd / count, totalUsd }))
    .toSorted((one, other) => other.totalUsd - one.totalUsd);
}
