/** The cost of one month's Triage Runs, plus the maximum cost of those in progress. */
export interface Spent {
  usd: number;
  /** Read and written. */
  tokens: number;
}

/** A limit for one calendar month, in UTC. null: no limit. */
export interface MonthlyLimit {
  usd: number | null;
  tokens: number | null;
}

/** The scope of a limit: each repository, each account that owns repositories (an organisation or a person), or the whole fleet. */
export type BudgetScope = "repository" | "owner" | "fleet";

export type FleetBudget = Record<BudgetScope, MonthlyLimit>;

/** A budget that has no room for another Triage Run. */
export interface SpentBudget {
  scope: BudgetScope;
  unit: "usd" | "tokens";
  spent: number;
  limit: number;
}

const SCOPES = ["repository", "owner", "fleet"] as const;

/**
 * Pure: the first budget that `spent` goes beyond, the narrowest first; null when there is room. `spent` includes what the Triage
 * Run that asks may cost at most.
 */
export function findSpentBudget(
  spent: Record<BudgetScope, Spent>,
  wanted: Spent,
  budget: FleetBudget,
): SpentBudget | null {
  for (const scope of SCOPES)
    for (const unit of ["usd", "tokens"] as const) {
      const limit = budget[scope][unit];
      const before = spent[scope][unit] - wanted[unit];
      // Without a limit of one Triage Run nobody knows what it will cost: it begins while anything is left.
      const isOver = limit !== null && (before >= limit || spent[scope][unit] > limit);
      if (isOver) return { scope, unit, spent: before, limit };
    }
  return null;
}

/** The calendar month in UTC of a time in milliseconds since the Unix epoch, as `2026-11`. */
export function monthOf(epochMs: number): string {
  return new Date(epochMs).toISOString().slice(0, 7);
}
