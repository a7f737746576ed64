import { z } from "zod";
import type { Sql } from "../../sql/index.ts";

/**
 * Returns whether the fleet considers a parent alive, by its `parentIdentity()`; null: the parent is not a worker of this fleet.
 * Rejects with FLEET_DATABASE_UNAVAILABLE.
 */
export async function readParentState(sql: Sql, parent: string): Promise<"alive" | "dead" | null> {
  const [row] = await sql.rows(
    z.object({ state: z.string() }),
    "select state from fleet_worker where parent = $1 order by case state when 'alive' then 0 else 1 end limit 1",
    parent,
  );
  return row === undefined ? null : row.state === "alive" ? "alive" : "dead";
}
