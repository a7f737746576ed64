import { type Clock, messageOf } from "agent-tty/kit";
import type { Sql } from "../sql/index.ts";
import { type FleetCaps, planSlot } from "./plan-slot.ts";
import { backoffMs, type VisitQueue, type VisitWork } from "./port.ts";
import { createRanks } from "./ranks.ts";
import { type VisitEnd, visitKey, type WantedVisit } from "./visit.ts";
import { type VisitRow, visitTable } from "./visit-table.ts";

/**
 * The interval at which the queue checks the file without a notification: for visits that become due, and after a failed write.
 */
const LOOK_MS = 1_000;

/**
 * Returns the queue of one process on SQLite. The file survives the process: visits that were running when the process died wait
 * again. No other process may work on the file, so no worker can be replaced and every fence check passes.
 */
export async function openInProcessQueue(
  sql: Sql,
  { clock, caps, onFailure }: { clock: Clock; caps: FleetCaps; onFailure: (message: string) => void },
): Promise<VisitQueue> {
  const ranks = createRanks(sql);
  const visits = visitTable(sql, clock);
  let wake: () => void = () => undefined;
  let isWorking = false;
  await visits.requeueRunning();

  const put = async (visit: VisitRow, delayMs: number): Promise<void> => {
    await visits.put(visit, delayMs);
    wake();
  };
  const enqueue = async (wanted: WantedVisit): Promise<void> => {
    const { repositoryId, number } = wanted;
    const key = visitKey(wanted);
    const waiting = await visits.waitingRank(key);
    const isKept = waiting !== null && !wanted.isUrgent;
    const next = isKept ? waiting : await ranks.next(wanted);
    const rank = waiting === null ? next : Math.min(next, waiting);
    const slot = planSlot(wanted, caps);
    await put(
      { visit_key: key, repository_id: repositoryId, number, slot, rank, attempt: 0 },
      wanted.delayMs,
    );
  };
  /** Returns the result of `act`; null if it fails. The failure is reported and does not end the running visits. */
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
  /** Stores the end of a visit. The next visit is enqueued before this one is deleted, so that a kill in between loses no visit. */
  const storeEnd = async (row: VisitRow, end: VisitEnd | null): Promise<true> => {
    if (end === null) await put(row, backoffMs(row.attempt));
    else if (end.type === "again") await put({ ...row, attempt: 0 }, end.delayMs);
    await visits.removeRunning(row.visit_key);
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

  return {
    enqueue,
    work: async (work) => {
      // An earlier process may have enqueued the waiting visits with other caps.
      await unlessUnwritable("apply the caps to the waiting visits", () => visits.applyCaps(caps));
      const inHand = new Set<Promise<void>>();
      const stop = (): void => wake();
      work.stop.addEventListener("abort", stop);
      isWorking = true;
      try {
        while (!work.stop.aborted) {
          const woken = new Promise<void>((resolve) => (wake = resolve));
          const row =
            inHand.size < work.parallelism
              ? await unlessUnwritable("take a visit", () => visits.take())
              : null;
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
    state: () => visits.state(isWorking ? 1 : 0),
    parentState: () => Promise.resolve(null),
  };
}
