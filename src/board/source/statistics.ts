import type { StatisticsDocument } from "../api/index.ts";
import { runPhases, type TriageRunFacts } from "../../runs/index.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const AGE_EDGES_MS = [HOUR_MS, 6 * HOUR_MS, DAY_MS, 3 * DAY_MS, 7 * DAY_MS, 30 * DAY_MS, null];

/** One run as the plots count it: `usd` null where no cost was told. */
export interface CountedRun {
  facts: TriageRunFacts;
  usd: number | null;
}

/** Statistics of runs that began within `days` before `nowMs`. A run under way counts only for its phases so far. `isPart`: there are older runs than these. */
export function statisticsOf(
  runs: readonly CountedRun[],
  days: number,
  nowMs: number,
  isPart = false,
): StatisticsDocument {
  const counted = runs.filter(({ facts }) => startOf(facts) > nowMs - days * DAY_MS);
  return {
    schema: "afk-triage/board-statistics@1",
    // Runs come newest first: when all of them began in these days, older ones may have too.
    onlyNewest: isPart && counted.length === runs.length ? counted.length : null,
    days,
    outcomes: outcomesByDay(counted),
    phases: phaseTimes(counted),
    costs: costs(counted),
    queueAges: queueAges(counted),
  };
}

/** The published outcome, else how the run ended. */
export function outcomeOf({ progress }: TriageRunFacts): string | null {
  if (progress.phase !== "settled") return null;
  return progress.end.status === "applied" ? progress.end.outcome : progress.end.status;
}

function outcomesByDay(runs: readonly CountedRun[]): StatisticsDocument["outcomes"] {
  const days = new Map<string, Record<string, number>>();
  for (const { facts } of runs) {
    const outcome = outcomeOf(facts);
    if (outcome === null) continue;
    const day = new Date(startOf(facts)).toISOString().slice(0, 10);
    const counts = days.get(day) ?? {};
    counts[outcome] = (counts[outcome] ?? 0) + 1;
    days.set(day, counts);
  }
  return [...days]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([day, counts]) => ({ day, counts }));
}

function phaseTimes(runs: readonly CountedRun[]): StatisticsDocument["phases"] {
  const times = new Map<string, number[]>();
  for (const { facts } of runs) {
    const { history } = facts.progress;
    for (const [index, { phase, atMs }] of history.entries()) {
      const next = history[index + 1];
      if (next !== undefined) add(times, phase, Math.max(0, next.atMs - atMs));
    }
  }
  return runPhases.flatMap((phase) => {
    const sorted = (times.get(phase) ?? []).toSorted((one, other) => one - other);
    if (sorted.length === 0) return [];
    const [p25Ms, p50Ms, p75Ms, p95Ms] = [0.25, 0.5, 0.75, 0.95].map((part) => quantile(sorted, part));
    return [
      {
        phase,
        count: sorted.length,
        p25Ms: p25Ms ?? 0,
        p50Ms: p50Ms ?? 0,
        p75Ms: p75Ms ?? 0,
        p95Ms: p95Ms ?? 0,
      },
    ];
  });
}

/** Between the two nearest values, in proportion. */
export function quantile(sorted: readonly number[], part: number): number {
  const at = (sorted.length - 1) * part;
  const [below, above] = [sorted[Math.floor(at)] ?? 0, sorted[Math.ceil(at)] ?? 0];
  return below + (above - below) * (at - Math.floor(at));
}

function costs(runs: readonly CountedRun[]): StatisticsDocument["costs"] {
  const spent = new Map<string, number[]>();
  for (const { facts, usd } of runs) {
    const outcome = outcomeOf(facts);
    if (outcome !== null && usd !== null) add(spent, outcome, usd);
  }
  return [...spent]
    .map(([outcome, all]) => {
      const totalUsd = all.reduce((sum, usd) => sum + usd, 0);
      return { outcome, count: all.length, meanUsd: totalUsd / all.length, totalUsd };
    })
    .toSorted((one, other) => other.totalUsd - one.totalUsd);
}

function queueAges(runs: readonly CountedRun[]): StatisticsDocument["queueAges"] {
  const ages = runs.flatMap(({ facts }) => {
    const sinceMs = facts.issue?.waitingSinceMs ?? null;
    return sinceMs === null ? [] : [Math.max(0, startOf(facts) - sinceMs)];
  });
  return AGE_EDGES_MS.map((upToMs, index) => {
    const from = index === 0 ? -1 : (AGE_EDGES_MS[index - 1] ?? 0);
    const isIn = (age: number): boolean => age > from && (upToMs === null || age <= upToMs);
    return { upToMs, count: ages.filter(isIn).length };
  });
}

function add(values: Map<string, number[]>, key: string, value: number): void {
  const known = values.get(key);
  if (known === undefined) values.set(key, [value]);
  else known.push(value);
}

function startOf({ progress }: TriageRunFacts): number {
  return progress.history[0]?.atMs ?? 0;
}
