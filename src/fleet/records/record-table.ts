import { z } from "zod";
import { recordKinds, type StoreRecord } from "../../store/index.ts";
import type { Sql } from "../sql/index.ts";

const PRUNED_AT_ONCE = 1_000;

/**
 * Stores rows of one worker's store; a row of an older version changes nothing. The statement takes the next arrival number
 * first, and other statements that need one wait until it ends. So a reader that has seen a number has seen all numbers before
 * it.
 */
const STORE = `
with taken as (
  insert into fleet_fact (name, value) values ('record-arrival', 1)
  on conflict (name) do update set value = fleet_fact.value + 1 returning value
)
insert into fleet_record (store, kind, record_key, version, arrival, began_at_ms, content)
select $1, given.kind, given.key, given.version, taken.value, given."beganAtMs", given.content
from taken, json_to_recordset($2::json)
  as given (kind text, key text, version bigint, "beganAtMs" bigint, content text)
where given."beganAtMs" >= coalesce((select value from fleet_fact where name = 'record-floor'), 0)
on conflict (kind, record_key, store) do update set version = excluded.version, arrival = excluded.arrival,
  began_at_ms = excluded.began_at_ms, content = excluded.content
where excluded.version > fleet_record.version`;

/** Stores the rows. Rejects with FLEET_DATABASE_UNAVAILABLE. */
export async function storeRecords(
  sql: Sql,
  storeId: string,
  records: readonly StoreRecord[],
): Promise<void> {
  await sql.rows(z.unknown(), STORE, storeId, JSON.stringify(records));
}

/**
 * The position of a reader. It reads all rows by kind and key first, so that runs are copied in the order of time, then by
 * arrival.
 */
export interface RecordCursor {
  order: "key" | "arrival";
  /** The number of the last arrival that was read; during the read by key, the highest number at its start. */
  arrival: number;
  kind: string;
  key: string;
  store: string;
}

const recordRow = z.object({
  arrival: z.coerce.number(),
  kind: z.enum(recordKinds),
  key: z.string(),
  store: z.string(),
  content: z.string(),
});
export type ArrivedRecord = z.infer<typeof recordRow>;

const COLUMNS = "arrival, kind, record_key as key, store, content";

/** Returns the next rows after the cursor. Rejects with FLEET_DATABASE_UNAVAILABLE. */
export function readRecords(sql: Sql, cursor: RecordCursor, limit: number): Promise<ArrivedRecord[]> {
  const { order, arrival, kind, key, store } = cursor;
  if (order === "key")
    return sql.rows(
      recordRow,
      `select ${COLUMNS} from fleet_record where (kind, record_key, store) > ($1, $2, $3) order by kind, record_key, store limit $4`,
      kind,
      key,
      store,
      limit,
    );
  return sql.rows(
    recordRow,
    `select ${COLUMNS} from fleet_record where (arrival, kind, record_key, store) > ($1, $2, $3, $4)
     order by arrival, kind, record_key, store limit $5`,
    arrival,
    kind,
    key,
    store,
    limit,
  );
}

export interface RecordFacts {
  /** The highest arrival number. */
  arrival: number;
  /** Rows that began before this time, in epoch milliseconds, are deleted. */
  floorMs: number;
}

/** Returns the highest arrival number and the time before which rows are deleted. Rejects with FLEET_DATABASE_UNAVAILABLE. */
export async function readRecordFacts(sql: Sql): Promise<RecordFacts> {
  const facts = await sql.rows(
    z.object({ name: z.string(), value: z.coerce.number() }),
    "select name, value from fleet_fact where name in ('record-arrival', 'record-floor')",
  );
  const of = (wanted: string): number => facts.find(({ name }) => name === wanted)?.value ?? 0;
  return { arrival: of("record-arrival"), floorMs: of("record-floor") };
}

/**
 * Returns the name of this set of rows as a hexadecimal number; `proposed` becomes its name if it has none yet. Rejects with
 * FLEET_DATABASE_UNAVAILABLE.
 */
export async function nameRecordSet(sql: Sql, proposed: number): Promise<string> {
  await sql.rows(
    z.unknown(),
    "insert into fleet_fact (name, value) values ('record-set', $1) on conflict (name) do nothing",
    proposed,
  );
  const [row] = await sql.rows(
    z.object({ value: z.coerce.number() }),
    "select value from fleet_fact where name = 'record-set'",
  );
  return (row?.value ?? proposed).toString(16);
}

/**
 * Deletes rows that began before `beforeMs`, in epoch milliseconds, and refuses such rows from now on. Rejects with
 * FLEET_DATABASE_UNAVAILABLE.
 */
export async function pruneRecords(sql: Sql, beforeMs: number, signal: AbortSignal): Promise<void> {
  await sql.rows(
    z.unknown(),
    `insert into fleet_fact (name, value) values ('record-floor', $1)
     on conflict (name) do update set value = greatest(fleet_fact.value, excluded.value)`,
    beforeMs,
  );
  for (let deleted = PRUNED_AT_ONCE; deleted === PRUNED_AT_ONCE && !signal.aborted;) {
    const rows = await sql.rows(
      z.unknown(),
      `delete from fleet_record where ctid in (select ctid from fleet_record where began_at_ms < $1 limit ${PRUNED_AT_ONCE}) returning 1`,
      beforeMs,
    );
    deleted = rows.length;
  }
}
