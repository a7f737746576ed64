import type { MonthlyLimit } from "../spend/index.ts";
import type { FleetStatus, RepositoryStatus } from "./read-status.ts";

/** The scope of a token of the fleet's board: everything, one account, or one repository. Names are in lower case. */
export type BoardScope =
  | { type: "all" }
  | { type: "owner"; owner: string }
  | { type: "repository"; repository: string };

/** The part of the status that a token may see. */
export interface ScopedStatus extends Omit<FleetStatus, "budget"> {
  isWhole: boolean;
  budget: {
    repository: MonthlyLimit;
    /** The limit of each owner; null: the token covers no whole owner. */
    owner: MonthlyLimit | null;
    /** null: the token does not cover the whole fleet. */
    fleet: MonthlyLimit | null;
  };
}

/**
 * Returns the status without the rows of repositories that no scope covers. Pure. All sums are computed from the remaining rows, so
 * that nothing about the removed rows can be derived by subtraction.
 */
export function scopeStatus(status: FleetStatus, scopes: readonly BoardScope[]): ScopedStatus {
  const { budget } = status;
  const isWhole = scopes.some(({ type }) => type === "all");
  const ofOwner = isWhole || scopes.some(({ type }) => type === "owner") ? budget.owner : null;
  if (isWhole) return { ...status, isWhole, budget: { ...budget, owner: ofOwner } };
  const repositories = status.repositories.filter((row) => scopes.some((scope) => covers(scope, row)));
  const sum = (of: (row: RepositoryStatus) => number): number =>
    repositories.reduce((total, row) => total + of(row), 0);
  return {
    ...status,
    isWhole,
    repositories,
    waiting: sum(({ waiting }) => waiting),
    running: sum(({ running }) => running),
    oldestMs: Math.max(0, ...repositories.map(({ oldestMs }) => oldestMs)),
    budget: { repository: budget.repository, owner: ofOwner, fleet: null },
  };
}

function covers(scope: BoardScope, { repository, owner }: RepositoryStatus): boolean {
  switch (scope.type) {
    case "all":
      return true;
    case "owner":
      return owner === scope.owner;
    case "repository":
      return repository.toLowerCase() === scope.repository;
  }
}
