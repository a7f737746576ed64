import type { WantedVisit } from "./visit.ts";

/** The maximum numbers of visits that run at once in the whole fleet. null: no limit for owners. */
export interface FleetCaps {
  perRepository: number;
  perOwner: number | null;
}

/**
 * Returns the slot of a visit. Pure. Visits of one slot run one after the other, so a repository with three slots never has more
 * than three visits at once. With a cap per owner, all repositories of an owner share that many slots. An issue always has the same
 * slot.
 *
 * @example planSlot({ repositoryId: 7, number: 5, owner: "o" }, { perRepository: 3, perOwner: null }); // => "repository:7:2"
 */
export function planSlot(
  { repositoryId, number, owner }: Pick<WantedVisit, "repositoryId" | "number" | "owner">,
  { perRepository, perOwner }: FleetCaps,
): string {
  if (perOwner === null) return `repository:${repositoryId}:${number % perRepository}`;
  const first = repositoryId % perOwner;
  const slot = (first + (number % Math.min(perRepository, perOwner))) % perOwner;
  return `owner:${owner.toLowerCase()}:${slot}`;
}
