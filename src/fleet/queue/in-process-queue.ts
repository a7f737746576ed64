import { type Clock, messageOf } from "agent-tty/kit";
import { z } from "zod";
import type { Sql } from "../sql/index.ts";
import { type FleetCaps, planSlot } from "./plan-slot.ts";
import { backoffMs, type QueueState, type VisitQueue, type VisitWork } from "./port.ts";
import { queueState } from "./queue-state.ts";
import { createRanks } from "./ranks.ts";
import { findMisplaced } from "./replan-slots.ts";
import { type VisitEnd, visitKey, type WantedVisit } from "./visit.ts";

const visitRow = z.object({
  visit_key: z.string(),
  repository_id: z.number(),
  number: z.number(),
  slot: z.string(),
  rank: z.number(),
  attempt: z.number(),
});
type VisitRow = z.infer<typeof visitRow>;

/**
 * The interval at which the queue checks the file without a notification: for visits that become due, and after a failed write.
 */
const LOOK_MS = 1_000;

/**
 * The queue of one process on SQLite. The file survives the process: visits that were running when the process died wait again.
 * No other process may work on the file, so no worker can be replaced and every fence check passes.
 */
export async function openInProcessQueue(
  sql: Sql,
  { clock, caps, onFailure }: { clock: Clock; caps: FleetCaps; onFailure: (message: string) => void },
): Promise<VisitQueue> {
  const ranks = createRanks(sql);
  let wake: () => void = () => undefined;
  let isWorking = false;
  await sql.rows(
    z.unknown(),
    "delete from fleet_visit where state = 'running' and visit_key in (select visit_key from fleet_visit where state = 'waiting')",
  );
  await sql.rows(z.unknown(), "update fleet_visit set state = 'waiting' where state = 'running'");

  const put = async (
    visit: Pick<VisitRow, "visit_key" | "repository_id" | "number" | "slot" | "rank" | "attempt">,
    delayMs: number,
  ): Promise<void> => {
    const nowMs = clock.nowMs();
    await sql.rows(
      z.unknown(),
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
    wake();
  };
  const enqueue = async (wanted: WantedVisit): Promise<void> => {
    const { repositoryId, number } = wanted;
    const key = visitKey(wanted);
    const [waiting] = await sql.rows(
      z.object({ rank: z.number() }),
      "select rank from fleet_visit where visit_key = $1 and state = 'waiting'",
      key,
    );
    const isKept = waiting !== undefined && !wanted.isUrgent;
    const next = isKept ? waiting.rank : await ranks.next(wanted);
    const rank = waiting === undefined ? next : Math.min(next, waiting.rank);
    const slot = planSlot(wanted, caps);
    await put(
      { visit_key: key, repository_id: repositoryId, number, slot, rank, attempt: 0 },
      wanted.delayMs,
    );
  };
  const claim = async (): Promise<VisitRow | null> => {
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
  };
  /** Runs `act`; returns null if it fails. The failure is reported and does not end the running visits. */
  const unlessUnwritable = async <Result>(
    attempted: string,
    act: () => Promise<Result>,
  ): Promise<Result | null> => {
    try {
      return await act();
    } catch (error) {
      onFailure(`${attempted}: ${messageOf(error)}`);
      return null;
    }
  };
  /** Enqueues the next visit before this one is deleted, so that a kill in between loses no visit. */
  const storeEnd = async (row: VisitRow, end: VisitEnd | null): Promise<true> => {
    if (end === null) await put(row, backoffMs(row.attempt));
    else if (end.type === "again") await put({ ...row, attempt: 0 }, end.delayMs);
    await sql.rows(
      z.unknown(),
      "delete from fleet_visit where visit_key = $1 and state = 'running'",
      row.visit_key,
    );
    return true;
  };
  const visitOne = async (row: VisitRow, { visit, stop }: VisitWork): Promise<void> => {
    await unlessUnwritable("store the turns of the repositories", () => ranks.started(row.rank));
    const held = {
      repositoryId: row.repository_id,
      number: row.number,
      attempt: row.attempt,
      isOurs: () => Promise.resolve(true),
    };
    const end = await visit(held, new AbortController().signal).catch((error: unknown): VisitEnd | null => {
      onFailure(`the visit of ${row.visit_key} failed (attempt ${row.attempt}): ${messageOf(error)}`);
      return null;
    });
    // A visit whose end cannot be stored keeps its place, and the write is tried again: a full disk or a locked file is a
    // temporary state.
    const store = () =>
      unlessUnwritable(`store the end of the visit of ${row.visit_key}`, () => storeEnd(row, end));
    while ((await store()) === null && !stop.aborted) await clock.sleep(LOOK_MS, stop).catch(() => undefined);
  };

  /** Applies the caps of this process to visits that an earlier one, with other caps, has enqueued. */
  const replan = async (): Promise<void> => {
    const statement = "select visit_key as key, slot from fleet_visit where state = 'waiting'";
    const waiting = await sql.rows(z.object({ key: z.string(), slot: z.string() }), statement);
    const move = "update fleet_visit set slot = $2 where visit_key = $1 and state = 'waiting'";
    for (const { key, slot } of await findMisplaced(sql, waiting, caps))
      await sql.rows(z.unknown(), move, key, slot);
  };

  return {
    enqueue,
    work: async (work) => {
      await unlessUnwritable("apply the caps to the waiting visits", replan);
      const inHand = new Set<Promise<void>>();
      const stop = (): void => wake();
      work.stop.addEventListener("abort", stop);
      isWorking = true;
      try {
        while (!work.stop.aborted) {
          const woken = new Promise<void>((resolve) => (wake = resolve));
          const row = inHand.size < work.parallelism ? await unlessUnwritable("take a visit", claim) : null;
          if (row !== null) {
            const running = visitOne(row, work).finally(() => {
              inHand.delete(running);
              wake();
            });
            inHand.add(running);
            continue;
          }
          using _timer = clock.schedule(LOOK_MS, () => wake());
          await woken;
        }
      } finally {
        work.stop.removeEventListener("abort", stop);
        await Promise.all(inHand);
        isWorking = false;
      }
    },
    state: () => readState(sql, clock, isWorking ? 1 : 0),
    parentState: () => Promise.resolve(null),
  };
}

/** `workers`: the number of workers of this file, which is at most one, in this process. */
async function readState(sql: Sql, clock: Clock, workers: 0 | 1): Promise<QueueState> {
  const rows = await sql.rows(
    z.object({ repository_id: z.number(), waiting: z.number(), running: z.number(), oldest_ms: z.number() }),
    `select repository_id, sum(state = 'waiting') as waiting, sum(state = 'running') as running,
     $1 - min(case when state = 'waiting' then max(due_at_ms, enqueued_at_ms) else $1 end) as oldest_ms
     from fleet_visit group by repository_id`,
    clock.nowMs(),
  );
  return queueState(workers, rows);
}
