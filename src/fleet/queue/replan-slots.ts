import { z } from "zod";
import { repositoryName } from "../repositories/index.ts";
import type { Sql } from "../sql/index.ts";
import { type FleetCaps, planSlot } from "./plan-slot.ts";
import type { Visit } from "./visit.ts";

/** A visit that waits in another slot than the one that the caps give it. */
export interface MisplacedVisit extends Visit {
  key: string;
  owner: string;
  /** The slot to which it belongs. */
  slot: string;
}

const nameRow = z.object({ id: z.coerce.number(), name: repositoryName });

/**
 * Returns the waiting visits whose slots were planned with other caps, or for an earlier owner of the repository. Visits of
 * repositories that are not in the fleet's list are omitted, because a worker drops them.
 */
export async function findMisplaced(
  sql: Sql,
  waiting: readonly { key: string; slot: string | null }[],
  caps: FleetCaps,
): Promise<MisplacedVisit[]> {
  const named = await sql.rows(nameRow, "select repository_id as id, name from fleet_repository");
  const owners = new Map(named.map(({ id, name }) => [id, name.split("/")[0] ?? ""]));
  return waiting.flatMap(({ key, slot: before }): MisplacedVisit[] => {
    const [repositoryId = 0, number = 0] = key.split("#").map(Number);
    const owner = owners.get(repositoryId);
    if (owner === undefined) return [];
    const slot = planSlot({ repositoryId, number, owner }, caps);
    return slot === before ? [] : [{ key, repositoryId, number, owner, slot }];
  });
}
