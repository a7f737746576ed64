import type { Clock } from "agent-tty/kit";
import { z } from "zod";
import type { Sql } from "../sql/index.ts";
import type { FleetCaps } from "./plan-slot.ts";
import type { QueueState } from "./port.ts";
import { queueState } from "./queue-state.ts";
import { findMisplaced } from "./replan-slots.ts";

const visitRow = z.object({
  visit_key: z.string(),
  repository_id: z.number(),
  number: z.number(),
  slot: z.string(),
  rank: z.number(),
  attempt: z.number(),
});
export type VisitRow = z.infer<typeof visitRow>;

/**
 * The visits of the queue of one process, in its SQLite file. A visit waits or runs; a running visit may also wait for its next
 * time. Every method rejects with an OperationalError if the file cannot be read or written.
 */
export interface VisitTable {
  /** Makes the visits wait that were running when an earlier process died. */
  requeueRunning(): Promise<void>;
  /** Returns the rank of the waiting visit with this key; null: none waits. */
  waitingRank(key: string): Promise<number | null>;
  /**
   * Stores a waiting visit that becomes due in `delayMs` milliseconds. One that already waits gets the rank and becomes due at the
   * earlier time.
   */
  put(visit: VisitRow, delayMs: number): Promise<void>;
  /** Marks the first due visit whose slot is free as running, and returns it; null: there is none. */
  take(): Promise<VisitRow | null>;
  /** Removes the running visit with this key. */
  removeRunning(key: string): Promise<void>;
  /** Moves waiting visits to the slots that these caps give them. */
  applyCaps(caps: FleetCaps): Promise<void>;
  /** Returns the state of the queue. `workers`: the number of workers of this file, which is at most one, in this process. */
  state(workers: 0 | 1): Promise<QueueState>;
}

/** Returns the visits in an open SQLite file of a fleet. */
export function visitTable(sql: Sql, clock: Clock): VisitTable {
  const run = (statement: string, ...values: (string | number)[]): Promise<unknown> =>
    sql.rows(z.unknown(), statement, ...values);
  return {
    requeueRunning: async () => {
      await run(
        "delete from fleet_visit where state = 'running' and visit_key in (select visit_key from fleet_visit where state = 'waiting')",
      );
      await run("update fleet_visit set state = 'waiting' where state = 'running'");
    },
    waitingRank: async (key) => {
      const [waiting] = await sql.rows(
        z.object({ rank: z.number() }),
        "select rank from fleet_visit where visit_key = $1 and state = 'waiting'",
        key,
      );
      return waiting?.rank ?? null;
    },
    put: async (visit, delayMs) => {
      const nowMs = clock.nowMs();
      await run(
        `insert into fleet_visit (visit_key, state, repository_id, number, slot, rank, attempt, enqueued_at_ms, due_at_ms)
       values ($1, 'waiting', $2, $3, $4, $5, $6, $7, $8) on conflict (visit_key, state) do update set rank = $5,
       due_at_ms = case when fleet_visit.due_at_ms < $8 then fleet_visit.due_at_ms else $8 end`,
        visit.visit_key,
        visit.repository_id,
        visit.number,
        visit.slot,
        visit.rank,
        visit.attempt,
        nowMs,
        nowMs + delayMs,
      );
    },
    take: async () => {
      const [row] = await sql.rows(
        visitRow,
        `update fleet_visit set state = 'running', attempt = attempt + 1 where state = 'waiting' and visit_key = (
         select visit_key from fleet_visit as waiting where state = 'waiting' and due_at_ms <= $1 and not exists (
           select 1 from fleet_visit as running where running.state = 'running' and running.slot = waiting.slot)
         order by rank, due_at_ms limit 1)
       returning visit_key, repository_id, number, slot, rank, attempt`,
        clock.nowMs(),
      );
      return row ?? null;
    },
    removeRunning: async (key) => {
      await run("delete from fleet_visit where visit_key = $1 and state = 'running'", key);
    },
    applyCaps: async (caps) => {
      const statement = "select visit_key as key, slot from fleet_visit where state = 'waiting'";
      const waiting = await sql.rows(z.object({ key: z.string(), slot: z.string() }), statement);
      const move = "update fleet_visit set slot = $2 where visit_key = $1 and state = 'waiting'";
      for (const { key, slot } of await findMisplaced(sql, waiting, caps)) await run(move, key, slot);
    },
    state: async (workers) => {
      const rows = await sql.rows(
        z.object({
          repository_id: z.number(),
          waiting: z.number(),
          running: z.number(),
          oldest_ms: z.number(),
        }),
        `select repository_id, sum(state = 'waiting') as waiting, sum(state = 'running') as running,
     $1 - min(case when state = 'waiting' then max(due_at_ms, enqueued_at_ms) else $1 end) as oldest_ms
     from fleet_visit group by repository_id`,
        clock.nowMs(),
      );
      return queueState(workers, rows);
    },
  };
}
