import { messageOf } from "agent-tty/kit";
import type { DamagedRow, Store } from "../store/index.ts";
import { parseTrustFact, type TrustFact } from "./trust-fact.ts";

/** The facts of one home about outcomes and autonomy: append-only, the oldest first. Reading throws STORE_CORRUPT. */
export interface TrustLedger {
  /** Returns false if the fact was already recorded. */
  record(fact: TrustFact): boolean;
  of(repo: string): TrustFact[];
  ofIssue(repo: string, number: number): TrustFact[];
  /** For views: leaves damaged facts out and names them (B7). `repo` null: of all repositories. */
  readable(repo: string | null): { facts: TrustFact[]; damaged: DamagedRow[] };
}

/** Opens the trust facts of a store. Facts of an unknown type, such as those of a later version, are omitted. */
export function openTrustLedger(store: Pick<Store, "recordTrustFact" | "trustFacts">): TrustLedger {
  const read = (repo: string, number: number | null): TrustFact[] =>
    store.trustFacts(repo, number).flatMap((stored) => parseTrustFact(stored) ?? []);
  return {
    record: (fact) => store.recordTrustFact(fact),
    of: (repo) => read(repo, null),
    ofIssue: (repo, number) => read(repo, number),
    readable: (repo) => {
      const damaged: DamagedRow[] = [];
      const facts = store.trustFacts(repo, null).flatMap((stored) => {
        try {
          return parseTrustFact(stored) ?? [];
        } catch (error) {
          damaged.push({
            runId: stored.runId,
            repo: stored.repo,
            number: stored.number,
            problem: messageOf(error),
          });
          return [];
        }
      });
      return { facts, damaged };
    },
  };
}
