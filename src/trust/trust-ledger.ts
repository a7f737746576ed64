import type { Store } from "../store/index.ts";
import { parseTrustFact, type TrustFact } from "./trust-fact.ts";

/** The facts of one home about outcomes and autonomy: append-only, the oldest first. */
export interface TrustLedger {
  /** Returns false if the fact was already recorded. */
  record(fact: TrustFact): boolean;
  of(repo: string): TrustFact[];
  ofIssue(repo: string, number: number): TrustFact[];
  all(): TrustFact[];
}

/** Opens the trust facts of a store. Facts of an unknown type, such as those of a later version, are omitted. */
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
