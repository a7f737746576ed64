import type { Liveness } from "../runner-verdict.ts";

/** So many deaths in one round, and more than half of it, are the fault of whoever probes. */
const MANY = 5;

/** O12: a whole fleet that dies at once is a probe that fails. Then nobody is dead, and nothing is proven. */
export function doubtMassDeath(round: readonly Liveness[]): Liveness[] {
  const deaths = round.filter((liveness) => liveness === "dead").length;
  const isDoubtful = deaths >= MANY && deaths * 2 > round.length;
  return round.map((liveness) => (isDoubtful && liveness === "dead" ? "unknown" : liveness));
}
