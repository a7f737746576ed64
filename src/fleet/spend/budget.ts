/** The cost of one month's Triage Runs, plus the maximum cost of those in progress. */
export interface Spent {
  usd: number;
  /** Input and output tokens together. */
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
 * Returns the first budget without room for the Triage Run that asks, the narrowest scope first; null if all budgets have room.
 * Pure. `spent` includes `wanted`, the maximum cost of that Triage Run.
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
      // Without a limit per Triage Run its maximum cost is unknown, so it may start as long as some of the budget is left.
      const isOver = limit !== null && (before >= limit || spent[scope][unit] > limit);
      if (isOver) return { scope, unit, spent: before, limit };
    }
  return null;
}

/** Returns the calendar month in UTC of a time in milliseconds since the Unix epoch, e.g. `2026-11`. */
export function monthOf(epochMs: number): string {
  return new Date(epochMs).toISOString().slice(0, 7);
}
