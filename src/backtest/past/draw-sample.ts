import { createHash } from "node:crypto";

export interface Drawable<Stratum extends string> {
  number: number;
  stratum: Stratum;
}

/**
 * Returns a sample of `size`: each stratum in proportion to its share, and at least one of each, even if there are more strata than
 * `size`. Pure: the same seed draws the same sample. Within a stratum the order is that of a digest of seed and number, so that a
 * stratum with more places in a larger sample of the same seed keeps the issues of the smaller one.
 */
export function drawSample<Stratum extends string, One extends Drawable<Stratum>>(
  all: readonly One[],
  { size, seed }: { size: number; seed: number },
): One[] {
  const strata = new Map<Stratum, One[]>();
  for (const one of all) strata.set(one.stratum, [...(strata.get(one.stratum) ?? []), one]);
  const places = shares(
    [...strata.values()].map(({ length }) => length),
    Math.min(size, all.length),
  );
  return [...strata.values()]
    .flatMap((members, index) =>
      members.toSorted((a, b) => order(seed, a).localeCompare(order(seed, b))).slice(0, places[index]),
    )
    .toSorted((a, b) => a.number - b.number);
}

function order(seed: number, { number }: { number: number }): string {
  return createHash("sha256").update(`${seed}:${number}`).digest("hex");
}

/** Returns the number of places for each stratum. Places that are left over go to the strata with the largest remainders. */
function shares(counts: readonly number[], size: number): number[] {
  const total = counts.reduce((sum, count) => sum + count, 0);
  const exact = counts.map((count) => (count / Math.max(1, total)) * size);
  const places = exact.map((share, index) => Math.min(counts[index] ?? 0, Math.max(1, Math.floor(share))));
  const byRemainder = exact
    .map((share, index) => ({ index, rest: share - Math.floor(share) }))
    .toSorted((a, b) => b.rest - a.rest || a.index - b.index);
  for (let left = size - places.reduce((sum, place) => sum + place, 0); left > 0;) {
    const before = left;
    for (const { index } of byRemainder) {
      if (left === 0 || (places[index] ?? 0) >= (counts[index] ?? 0)) continue;
      places[index] = (places[index] ?? 0) + 1;
      left -= 1;
    }
    if (left === before) break;
  }
  // The place that a rare stratum needs is taken from the stratum with the most places.
  for (let over = places.reduce((sum, place) => sum + place, 0) - size; over > 0; over -= 1) {
    const largest = places.indexOf(Math.max(...places));
    if ((places[largest] ?? 0) <= 1) break;
    places[largest] = (places[largest] ?? 0) - 1;
  }
  return places;
}
