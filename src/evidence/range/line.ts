/**
 * The state of a search along an ascending line of versions or commits. The functions on it are pure. `origin` is known to have
 * the bug. The search stays close to the origin: a bug may have come back, so a distant flip proves nothing about this bad run.
 */
export interface Line {
  readonly length: number;
  /** The index that is known to be bad: the reported version. */
  readonly origin: number;
  /** The results so far. An index without an entry was not run. */
  readonly states: ReadonlyMap<number, ProbeState>;
}

export type ProbeState = "bad" | "good" | "untestable";

/** The progress of the search on one side of the origin, by index. */
export interface Side {
  /** The bad item that is farthest from the origin without a good item in between; initially the origin itself. */
  bad: number;
  /** The nearest good item on this side; null: none was found. */
  good: number | null;
  /**
   * Indexes between `bad` and `good` (or the end of the line) that were not run, nearest to the origin first. Each of them may
   * move the flip.
   */
  open: readonly number[];
  /**
   * Indexes between the origin and `bad` that were not run, nearest to the origin first. A good one among them would split the
   * bad run.
   */
  unconfirmed: readonly number[];
  /** Indexes between `bad` and `good` (or the end of the line) that could not be tested, nearest to the origin first. */
  untestable: readonly number[];
}

export type Direction = "older" | "newer";

/** Returns a line with one known bad index, `origin`, counted from 0. Throws for an index outside the line. */
export function startLine(length: number, origin: number): Line {
  if (!Number.isInteger(origin) || origin < 0 || origin >= length)
    throw new Error(`a line of ${length} has no index ${origin}`);
  return { length, origin, states: new Map([[origin, "bad"]]) };
}

/** Returns the line without one index, which is not the origin. The indexes above it move down by one. Pure. */
export function withoutIndex({ length, origin, states }: Line, index: number): Line {
  const moved = (one: number): number => (one > index ? one - 1 : one);
  const kept = [...states]
    .filter(([one]) => one !== index)
    .map(([one, state]) => [moved(one), state] as const);
  return { length: length - 1, origin: moved(origin), states: new Map(kept) };
}

/** Returns the line with the state of one index added. Pure. */
export function withState(line: Line, index: number, state: ProbeState): Line {
  return { ...line, states: new Map([...line.states, [index, state]]) };
}

/**
 * Returns the next index to run; null if both flips of the bad run around the origin are known. With `confirm`, every index
 * inside the bad run is run as well.
 */
export function nextProbe(line: Line, { confirm }: { confirm: boolean }): number | null {
  const sides = { older: sideOf(line, "older"), newer: sideOf(line, "newer") };
  const flip = nextForFlip(line, sides.older) ?? nextForFlip(line, sides.newer);
  if (flip !== null || !confirm) return flip;
  return sides.older.unconfirmed[0] ?? sides.newer.unconfirmed[0] ?? null;
}

/** Returns the nearest index below `before` with this state; null: there is none. */
export function lastSeen({ states }: Line, before: number, wanted: ProbeState): number | null {
  for (let index = before - 1; index >= 0; index -= 1) if (states.get(index) === wanted) return index;
  return null;
}

/** Returns the known states from the origin in one direction, up to the first good index. */
export function sideOf({ length, origin, states }: Line, direction: Direction): Side {
  const step = direction === "older" ? -1 : 1;
  let bad = origin;
  let good: number | null = null;
  const passed: number[] = [];
  for (let index = origin + step; index >= 0 && index < length; index += step) {
    const state = states.get(index);
    if (state === "good") {
      good = index;
      break;
    }
    if (state === "bad") bad = index;
    else passed.push(index);
  }
  const isBeyond = (index: number): boolean => (index - bad) * step > 0;
  const unseen = passed.filter((index) => !states.has(index));
  return {
    bad,
    good,
    open: unseen.filter(isBeyond),
    unconfirmed: unseen.filter((index) => !isBeyond(index)),
    untestable: passed.filter((index) => states.has(index) && isBeyond(index)),
  };
}

/**
 * Returns the index at distance 1, 2, 4 … from the origin until a good one or the end of the line is reached, then the middle of
 * the longest stretch that was not run: an index beside one that cannot be tested usually cannot be tested either.
 */
function nextForFlip({ length, origin }: Line, { good, open }: Side): number | null {
  const stretches = stretchesOf(open);
  const last = stretches.at(-1);
  const isEnd = (index: number | undefined): boolean => index === 0 || index === length - 1;
  if (good === null && last !== undefined && isEnd(last.at(-1))) {
    const distance = Math.max(1, 2 * (Math.abs((last[0] ?? origin) - origin) - 1));
    return last.find((index) => Math.abs(index - origin) >= distance) ?? last.at(-1) ?? null;
  }
  const longest = stretches.reduce<readonly number[]>(
    (best, one) => (one.length > best.length ? one : best),
    [],
  );
  return longest[Math.floor((longest.length - 1) / 2)] ?? null;
}

/** Returns the stretches of successive indexes, in the given order. */
function stretchesOf(indexes: readonly number[]): number[][] {
  const stretches: number[][] = [];
  for (const index of indexes) {
    const last = stretches.at(-1);
    if (Math.abs((last?.at(-1) ?? Infinity) - index) === 1) last?.push(index);
    else stretches.push([index]);
  }
  return stretches;
}
