/** How often each thing happened. */
export interface Tally {
  add(name: string, count?: number): void;
  entries(): [name: string, count: number][];
}

export function createTally(): Tally {
  const counts = new Map<string, number>();
  return {
    add: (name, count = 1) => {
      if (count > 0) counts.set(name, (counts.get(name) ?? 0) + count);
    },
    entries: () => [...counts].toSorted(([a], [b]) => a.localeCompare(b)),
  };
}
