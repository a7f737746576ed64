import type { WantedVisit } from "./visit.ts";

/** How many visits run at once in the whole fleet. null: as many as the workers take. */
export interface FleetCaps {
  perRepository: number;
  perOwner: number | null;
}

/**
 * Pure: the slot of a visit. Visits of one slot run one after the other, so a repository that has three slots never has more
 * than three visits at once. With a cap for each owner, the repositories of one owner share that many slots. An issue keeps
 * its slot.
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
