import { seeded } from "../seeded.ts";

/** Random choices from one seed: the same seed makes the same choices on every machine. */
export interface Draw {
  /** Returns an integer from `low` to `high`, both included. */
  int(low: number, high: number): number;
  chance(probability: number): boolean;
  pick<T>(values: readonly T[]): T;
  /** Chooses by weight: a value with weight 2 is drawn twice as often as one with weight 1. */
  weighted<Name extends string>(weights: Readonly<Record<Name, number>>): Name;
}

/** Creates a generator whose seed is mixed from both numbers. */
export function createDraw(seed: number, stream: number): Draw {
  const unit = seeded(Math.imul(seed, 0x9e3779b1) ^ Math.imul(stream + 1, 0x85ebca6b));
  const int = (low: number, high: number): number => low + Math.floor(unit() * (high - low + 1));
  return {
    int,
    chance: (probability) => unit() < probability,
    pick: (values) => chosen(values[int(0, values.length - 1)]),
    weighted: (weights) => {
      const names = Object.keys(weights) as (keyof typeof weights)[];
      let left = unit() * names.reduce((sum, name) => sum + weights[name], 0);
      return chosen(names.find((name) => (left -= weights[name]) < 0));
    },
  };
}

function chosen<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("nothing to choose from");
  return value;
}
