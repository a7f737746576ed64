import type { RepositorySpend } from "./spend-ledger.ts";

export type SpendTotals = Pick<RepositorySpend, "usd" | "tokens" | "runs" | "lost">;

/** Returns the sums over several repositories. */
export function totalSpend(spend: readonly SpendTotals[]): SpendTotals {
  const sum = (of: (one: SpendTotals) => number): number => spend.reduce((total, one) => total + of(one), 0);
  return {
    usd: sum(({ usd }) => usd),
    tokens: sum(({ tokens }) => tokens),
    runs: sum(({ runs }) => runs),
    lost: sum(({ lost }) => lost),
  };
}
