import { z } from "zod";
import type { Sql } from "../sql/index.ts";
import type { WantedVisit } from "./visit.ts";

/**
 * The ranks by which repositories take turns. Visits run in the order of their ranks, and the waiting visits of one repository have
 * consecutive ranks. The first visit of every repository comes before the second of any. A repository that returns starts at the
 * fleet's current rank, so that no repository saves up turns and none starves (start-time fair queueing, Goyal et al. 1996). An
 * urgent visit ranks only behind the urgent visits of its repository.
 */
export interface Ranks {
  /** Returns the rank of a new visit. */
  next(visit: Pick<WantedVisit, "repositoryId" | "isUrgent">): Promise<number>;
  /** Records that a visit of this rank has begun. */
  started(rank: number): Promise<void>;
  /**
   * Subtracts `from` from every rank once a visit of that rank has begun, so that ranks stay small. Returns false if none has
   * begun, or if another worker has subtracted already.
   */
  lower(from: number): Promise<boolean>;
}

const STARTED = "(select coalesce(max(value), 0) from fleet_fact where name = 'started')";
const rankRow = z.object({ rank: z.coerce.number() });

/** Returns the ranks of queued visits, stored in the fleet's database. */
export function createRanks(sql: Sql): Ranks {
  const nextOf = (column: string, first: string): string => `
    insert into fleet_rank (repository_id, rank, urgent_rank) values ($1, ${first})
    on conflict (repository_id) do update set ${column} =
      1 + case when fleet_rank.${column} > ${STARTED} then fleet_rank.${column} else ${STARTED} end
    returning ${column} as rank`;
  const normal = nextOf("rank", `1 + ${STARTED}, ${STARTED}`);
  const urgent = nextOf("urgent_rank", `${STARTED}, 1 + ${STARTED}`);
  return {
    next: async ({ repositoryId, isUrgent }) => {
      const [row] = await sql.rows(rankRow, isUrgent ? urgent : normal, repositoryId);
      return row?.rank ?? 0;
    },
    started: async (rank) => {
      await sql.rows(
        z.unknown(),
        `insert into fleet_fact (name, value) values ('started', $1) on conflict (name) do update
         set value = case when fleet_fact.value > excluded.value then fleet_fact.value else excluded.value end`,
        rank,
      );
    },
    lower: async (from) => {
      const lowered = await sql.rows(
        z.unknown(),
        "update fleet_fact set value = value - $1 where name = 'started' and value >= $1 returning value",
        from,
      );
      if (lowered.length === 0) return false;
      const statement = "update fleet_rank set rank = rank - $1, urgent_rank = urgent_rank - $1";
      await sql.rows(z.unknown(), statement, from);
      return true;
    },
  };
}
