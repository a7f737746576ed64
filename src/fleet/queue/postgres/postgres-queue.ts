import { once } from "node:events";
import { raceSignal } from "agent-tty/kit";
import type { JobHelpers } from "graphile-worker";
import { z } from "zod";
import type { PostgresSql } from "../../sql/index.ts";
import { type FleetCaps, planSlot } from "../plan-slot.ts";
import type { QueueState, VisitQueue, VisitWork } from "../port.ts";
import { queueState } from "../queue-state.ts";
import { createRanks } from "../ranks.ts";
import { findMisplaced } from "../replan-slots.ts";
import { visitKey, type WantedVisit } from "../visit.ts";
import { readParentState } from "./parent-state.ts";
import { joinWorkers, type MembershipOptions } from "./membership.ts";
import { type QueueWorkers, startQueueWorkers, VISIT_TASK } from "./queue-workers.ts";

export interface PostgresQueueOptions extends Omit<MembershipOptions, "queueWorkers"> {
  caps: FleetCaps;
}

const payloadSchema = z.object({
  repositoryId: z.number(),
  number: z.number(),
  owner: z.string(),
});
const rankRow = z.object({ rank: z.coerce.number() });

/** The wait between two attempts when the database is unreachable. */
const AWAY_MS = 1_000;
/** When a visit of at least this rank starts, all ranks are lowered by this number. */
const RANK_LIMIT = 10_000;
/** The engine's priority is a 16-bit number. Visits with larger ranks all wait at the end. */
const LARGEST_PRIORITY = 32_767;

/** The engine's maximum number of attempts. With its backoff, they last for decades. */
const NO_LIMIT = 32_767;

/**
 * Returns the queue for many machines: graphile-worker's tables and workers, and the liveness checks of the fleet's workers (ADR
 * 64).
 */
export function openPostgresQueue(options: PostgresQueueOptions): VisitQueue {
  const { sql, caps, clock, onFailure } = options;
  const ranks = createRanks(sql);

  const enqueue = async (wanted: WantedVisit): Promise<void> => {
    const key = visitKey(wanted);
    const [waiting] = await sql.rows(
      rankRow,
      "select priority as rank from graphile_worker.jobs where key = $1 and locked_at is null and attempts < max_attempts",
      key,
    );
    const isKept = waiting !== undefined && !wanted.isUrgent;
    const next = isKept ? waiting.rank : await ranks.next(wanted);
    const rank = Math.min(next, waiting?.rank ?? LARGEST_PRIORITY);
    const { repositoryId, number, owner } = wanted;
    // One statement is used, so that the earlier time wins when two callers request the visit at once: add_job locks the waiting
    // job.
    await sql.rows(
      z.unknown(),
      `with added as materialized (
         select id, run_at from graphile_worker.add_job($1, payload => $2::json, queue_name => $3, job_key => $4,
           priority => $5, max_attempts => $6, job_key_mode => 'preserve_run_at',
           run_at => now() + make_interval(secs => $7)))
       select graphile_worker.reschedule_jobs(array[id], run_at => now() + make_interval(secs => $7))
       from added where run_at > now() + make_interval(secs => $7)`,
      VISIT_TASK,
      JSON.stringify({ repositoryId, number, owner }),
      planSlot(wanted, caps),
      key,
      rank,
      NO_LIMIT,
      wanted.delayMs / 1_000,
    );
  };

  return {
    enqueue,
    work: workOn,
    state: () => readState(sql),
    parentState: (parent) => readParentState(sql, parent),
  };

  async function workOn({ parallelism, visit, stop }: VisitWork): Promise<void> {
    await replan();
    let workers: QueueWorkers | null = null;
    await using membership = await joinWorkers({ ...options, queueWorkers: () => workers });
    const { owner, lost } = membership;

    const task = async (payload: unknown, { job }: JobHelpers): Promise<void> => {
      const visited = payloadSchema.parse(payload);
      const isOurs = async (signal: AbortSignal): Promise<boolean> => {
        const [row] = await patiently(signal, () =>
          sql.rows(
            z.unknown(),
            `select 1 from graphile_worker.jobs, fleet_worker where jobs.id = $1 and jobs.locked_by = $2 and jobs.attempts >= $3
               and fleet_worker.owner = $4 and fleet_worker.state = 'alive'`,
            job.id,
            job.locked_by,
            job.attempts,
            owner,
          ),
        );
        return row !== undefined && !lost.aborted;
      };
      // This visit was claimed while the workers were stopping.
      if (stop.aborted) return enqueue({ ...visited, isUrgent: false, delayMs: 0 });
      await started(job.priority);
      const held = {
        repositoryId: visited.repositoryId,
        number: visited.number,
        attempt: job.attempts,
        isOurs,
      };
      const end = await visit(held, lost);
      // The engine deletes the visit even if another worker holds it by now, and its worker ends permanently when the database is
      // unreachable.
      if (!(await isOurs(lost))) throw new Error("another worker has taken over this visit");
      if (end.type === "again") await enqueue({ ...visited, isUrgent: false, delayMs: end.delayMs });
    };

    const register = (): Promise<void> => membership.register();
    workers = startQueueWorkers({ pool: sql.pool, parallelism, task, clock, register, onFailure });
    const over = AbortSignal.any([stop, lost]);
    if (!over.aborted) await once(over, "abort");
    await workers.drain();
    lost.throwIfAborted();
  }

  /** Applies the caps of this process to the waiting visits: they may have been enqueued with other caps. */
  async function replan(): Promise<void> {
    const waiting = await sql.rows(
      z.object({ key: z.string(), slot: z.string().nullable() }),
      "select key, queue_name as slot from graphile_worker.jobs where key is not null and locked_at is null",
    );
    for (const { key, slot, ...visit } of await findMisplaced(sql, waiting, caps))
      await sql.rows(
        z.unknown(),
        `select graphile_worker.add_job($1, payload => $2::json, queue_name => $3, job_key => key, priority => priority,
           max_attempts => $5, run_at => run_at) from graphile_worker.jobs where key = $4 and locked_at is null`,
        VISIT_TASK,
        JSON.stringify(visit),
        slot,
        key,
        NO_LIMIT,
      );
  }

  async function started(rank: number): Promise<void> {
    await ranks.started(rank);
    if (rank < RANK_LIMIT || !(await ranks.lower(RANK_LIMIT))) return;
    await sql.rows(
      z.unknown(),
      `select graphile_worker.reschedule_jobs(ids, priority => priority - $1)
       from (select priority, array_agg(id) as ids from graphile_worker.jobs where locked_at is null group by priority) as waiting`,
      RANK_LIMIT,
    );
  }

  async function patiently<Result>(signal: AbortSignal, act: () => Promise<Result>): Promise<Result> {
    for (;;) {
      signal.throwIfAborted();
      try {
        return await raceSignal(act(), signal);
      } catch {
        await clock.sleep(AWAY_MS, signal);
      }
    }
  }
}

async function readState(sql: PostgresSql): Promise<QueueState> {
  const rows = await sql.rows(
    z.object({
      repository_id: z.coerce.number(),
      waiting: z.coerce.number(),
      running: z.coerce.number(),
      oldest_ms: z.coerce.number(),
    }),
    `select split_part(coalesce(key, '0#'), '#', 1) as repository_id,
       count(*) filter (where locked_at is null) as waiting, count(*) filter (where locked_at is not null) as running,
       coalesce(max(extract(epoch from now() - run_at) * 1000) filter (where locked_at is null), 0) as oldest_ms
     from graphile_worker.jobs where attempts < max_attempts or locked_at is not null group by 1`,
  );
  const [workers] = await sql.rows(
    z.object({ count: z.coerce.number() }),
    "select count(*) as count from fleet_worker where state = 'alive'",
  );
  return queueState(workers?.count ?? 0, rows);
}
