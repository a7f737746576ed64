import { createHash } from "node:crypto";
import type { Mutant } from "./find-mutants.ts";

export interface AreaMutant extends Mutant {
  area: string;
}

/**
 * Draws the same mutants for the same seed: in each area those whose hash with the seed is lowest. The areas take turns, so that
 * a large area does not displace a small one. Returns fewer than `count` if there are fewer.
 */
export function drawSample(mutants: readonly AreaMutant[], count: number, seed: number): AreaMutant[] {
  const places = new Map<string, number>();
  const ranked = mutants
    .map((mutant) => ({ mutant, rank: createHash("sha256").update(`${seed} ${mutant.id}`).digest("hex") }))
    .toSorted((a, b) => (a.rank < b.rank ? -1 : 1))
    .map(({ mutant }) => {
      const place = places.get(mutant.area) ?? 0;
      places.set(mutant.area, place + 1);
      return { mutant, place };
    });
  return ranked
    .toSorted((a, b) => a.place - b.place)
    .slice(0, count)
    .map(({ mutant }) => mutant);
}
