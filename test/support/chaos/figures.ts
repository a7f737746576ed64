import { type Invariant, invariants } from "./find-violations.ts";
import type { PlayedSchedule } from "./play-schedule.ts";
import { createTally } from "./tally.ts";

export interface Figures {
  seed: number;
  schedules: number;
  parents: number;
  signals: Record<string, number>;
  faults: Record<string, number>;
  recoveries: { rounds: number; most: number };
  violations: Record<Invariant, number>;
  durationMs: { median: number; most: number };
}

export function sumUp(seed: number, played: readonly PlayedSchedule[]): Figures {
  const signals = createTally();
  const faults = createTally();
  for (const each of played) {
    for (const [name, count] of each.signals) signals.add(name, count);
    for (const [name, count] of each.faults) faults.add(name, count);
  }
  const violations = played.flatMap((each) => each.violations);
  const rounds = played.map(({ recoveryRounds }) => recoveryRounds);
  const durations = played.map(({ durationMs }) => durationMs).toSorted((a, b) => a - b);
  return {
    seed,
    schedules: played.length,
    parents: sum(played.map(({ parents }) => parents)),
    signals: Object.fromEntries(signals.entries()),
    faults: Object.fromEntries(faults.entries()),
    recoveries: { rounds: sum(rounds), most: Math.max(0, ...rounds) },
    violations: Object.fromEntries(
      invariants.map((name) => [name, violations.filter(({ invariant }) => invariant === name).length]),
    ) as Record<Invariant, number>,
    durationMs: { median: durations[Math.floor(durations.length / 2)] ?? 0, most: durations.at(-1) ?? 0 },
  };
}

/** Returns the figures as text, one per line. */
export function figuresText(figures: Figures): string {
  const rows: [string, string | number][] = [
    ["seed", figures.seed],
    ["schedules", figures.schedules],
    ["parents started", figures.parents],
    ...Object.entries(figures.signals).map(([name, count]): [string, number] => [
      `  ended by ${name}`,
      count,
    ]),
    ["faults that struck", sum(Object.values(figures.faults))],
    ...Object.entries(figures.faults).map(([name, count]): [string, number] => [`  ${name}`, count]),
    ["recovery rounds", `${figures.recoveries.rounds} (at most ${figures.recoveries.most} for one schedule)`],
    [
      "one schedule took",
      `${figures.durationMs.median} ms (median), ${figures.durationMs.most} ms (at most)`,
    ],
    ...Object.entries(figures.violations).map(([name, count]): [string, string] => [
      name,
      count === 0 ? "0 violations" : `${count} VIOLATIONS`,
    ]),
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`).join("\n");
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
