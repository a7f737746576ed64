import { type Clock, type Ids, messageOf } from "agent-tty/kit";
import { openOutbox, type Outbox, takeExclusiveLock } from "../../store/index.ts";
import type { Sql } from "../sql/index.ts";
import { storeRecords } from "./record-table.ts";

export interface RecordSender {
  /** The store whose rows are sent. */
  storePath: string;
  sql: Sql;
  clock: Clock;
  ids: Ids;
  /** Called once when sending begins to fail, not for every attempt. */
  onFailure: (message: string) => void;
}

const PAUSE_MS = 1_000;
const AT_ONCE = 200;
/** The time, in milliseconds, for which rows are still sent after the stop. Rows that are left then wait in the outbox. */
const LAST_MS = 5_000;

/**
 * Sends the changed rows of a store to the database of the fleet until `stop` aborts, each at least once. If several processes
 * share a store, one of them sends. While the database is unreachable, the marks stay in the store; a Triage Run never waits for
 * the sender. Never rejects.
 */
export async function sendRecords(sender: RecordSender, stop: AbortSignal): Promise<void> {
  const { storePath, sql, clock, ids, onFailure } = sender;
  let lock: Disposable | null = null;
  let outbox: Outbox | null = null;
  let isFailing = false;
  const sendAll = async (isOver: () => boolean): Promise<void> => {
    try {
      lock ??= takeExclusiveLock(`${storePath}.sending`);
      if (lock === null) return;
      outbox ??= await openOutbox(storePath, { clock, ids });
      for (let records = outbox.unsent(AT_ONCE); records.length > 0; records = outbox.unsent(AT_ONCE)) {
        await storeRecords(sql, outbox.storeId, records);
        outbox.markSent(records);
        if (isOver()) break;
      }
      isFailing = false;
    } catch (error) {
      if (!isFailing) onFailure(`send the records of Triage Runs to PostgreSQL: ${messageOf(error)}`);
      isFailing = true;
    }
  };
  try {
    while (!stop.aborted) {
      await sendAll(() => stop.aborted);
      await clock.sleep(PAUSE_MS, stop).catch(() => undefined);
    }
    const deadlineMs = clock.monotonicMs() + LAST_MS;
    await sendAll(() => clock.monotonicMs() >= deadlineMs);
  } finally {
    (outbox as Outbox | null)?.[Symbol.dispose]();
    (lock as Disposable | null)?.[Symbol.dispose]();
  }
}
