import type { Store } from "../store/index.ts";
import { parseTrustFact, type TrustFact } from "./trust-fact.ts";

/** The facts of one home about outcomes and autonomy: append-only, oldest first. */
export interface TrustLedger {
  /** False: it was recorded before. */
  record(fact: TrustFact): boolean;
  of(repo: string): TrustFact[];
  ofIssue(repo: string, number: number): TrustFact[];
  all(): TrustFact[];
}

/** The trust facts of a store. Facts of an unknown form, such as a later version's, are left out. */
export function openTrustLedger(store: Pick<Store, "recordTrustFact" | "trustFacts">): TrustLedger {
  const read = (repo: string | null, number: number | null): TrustFact[] =>
    store.trustFacts(repo, number).flatMap((stored) => parseTrustFact(stored) ?? []);
  return {
    record: (fact) => store.recordTrustFact(fact),
    of: (repo) => read(repo, null),
    ofIssue: (repo, number) => read(repo, number),
    all: () => read(null, null),
  };
}
