import { drawSchedule, type Schedule } from "./schedule.ts";

/**
 * Returns few and small schedules from the first `among` that together have every signal, a repeated signal, every fault of a
 * parent, faults of Coder and of GitHub, every number of parents, both multiplexers, both leases and every interlude. The choice
 * is greedy: the schedule that adds the most traits comes first; of equal ones, the one with the fewest issues and parents.
 */
export function coveringSchedules(seed: number, among: number): Schedule[] {
  const drawn = Array.from({ length: among }, (_, index) => drawSchedule(seed, index + 1));
  const missing = new Set(drawn.flatMap(traitsOf));
  const chosen: Schedule[] = [];
  while (missing.size > 0) {
    const gain = (schedule: Schedule): number =>
      new Set(traitsOf(schedule).filter((trait) => missing.has(trait))).size;
    const [best] = drawn.toSorted((one, other) => gain(other) - gain(one) || sizeOf(one) - sizeOf(other));
    if (best === undefined) break;
    chosen.push(best);
    for (const trait of traitsOf(best)) missing.delete(trait);
  }
  return chosen;
}

export function traitsOf(schedule: Schedule): string[] {
  const { strikes, parents, multiplexer, coder, interlude, reapFirst } = schedule;
  const traits = strikes.flatMap((strike) => {
    if (strike.type === "signal")
      return strike.againAfterMs === null ? [strike.signal] : [strike.signal, "a signal again"];
    return strike.type === "parent" ? [strike.fault.kind] : [strike.type];
  });
  return [
    ...traits,
    `parents: ${parents.length}`,
    `multiplexer: ${multiplexer}`,
    `lease: ${coder.lease}`,
    `interlude: ${interlude?.command ?? "none"}`,
    ...(reapFirst ? ["reap first"] : []),
  ];
}

const sizeOf = ({ issues, parents }: Schedule): number => issues.length + parents.length;
