import { z } from "zod";
import type { Clock, Ids } from "agent-tty/kit";
import { openDatabase } from "./database.ts";
import { migrate } from "./migrations.ts";
import { markEverything } from "./outbox-schema.ts";
import { recordKinds, recordTables, type StoreRecord } from "./store-record.ts";

/** The rows of a store that have changed since they were last sent, or were never sent. */
export interface Outbox extends Disposable {
  /** Identifies the store among all stores that send records. */
  readonly storeId: string;
  /**
   * Returns at most `limit` unsent rows with their current contents, the longest-waiting row first; a batch comes before its
   * runs.
   */
  unsent(limit: number): StoreRecord[];
  /** Removes the marks, except from rows that have changed since they were read. */
  markSent(records: readonly StoreRecord[]): void;
}

const BUSY_TIMEOUT_MS = 2_000;
const STORE_ID_BYTES = 16;
/** A page of rows ends after the row with which it reaches this size, in characters. */
const PAGE_CHARACTERS = 4 * 1024 * 1024;

const entries = z.array(
  z.object({
    kind: z.enum(recordKinds),
    key: z.string(),
    version: z.int(),
  }),
);
const stored = z.array(z.looseObject({ began: z.number() }));

/**
 * Opens the outbox of the store at `path`. Once the outbox was opened, triggers mark each change of the store in the transaction
 * of the change. The first opening marks all existing rows. Rejects with a StoreErrorCode.
 */
export async function openOutbox(path: string, { clock, ids }: { clock: Clock; ids: Ids }): Promise<Outbox> {
  const database = await openDatabase(path, clock, BUSY_TIMEOUT_MS);
  const storeId = (): string | undefined =>
    z
      .array(z.object({ store: z.string() }))
      .parse(database.all("SELECT store FROM outbox_owner"))
      .at(0)?.store;
  try {
    migrate(database, clock);
    database.write("opening the outbox", () => {
      if (storeId() !== undefined) return;
      const binding = { store: ids.hex(STORE_ID_BYTES) };
      database.run("INSERT INTO outbox_owner (id, store, version) VALUES (1, :store, 0)", binding);
      database.exec(markEverything);
    });
  } catch (error) {
    database.close();
    throw error;
  }
  return {
    storeId: storeId() ?? "",
    unsent: (limit) => {
      const records: StoreRecord[] = [];
      let characters = 0;
      const marked = database.all("SELECT kind, key, version FROM outbox ORDER BY id LIMIT ?", limit);
      for (const { kind, key, version } of entries.parse(marked)) {
        const { table, where, began } = recordTables[kind];
        const found = database.all(`SELECT *, ${began} AS began FROM ${table} WHERE ${where}`, key);
        for (const { began: beganAtMs, ...row } of stored.parse(found)) {
          const content = JSON.stringify(row);
          records.push({ kind, key, version, beganAtMs, content });
          characters += content.length;
        }
        if (characters >= PAGE_CHARACTERS) break;
      }
      return records;
    },
    markSent: (records) =>
      database.write("marking rows as sent", () => {
        for (const { kind, key, version } of records)
          database.run("DELETE FROM outbox WHERE kind = :kind AND key = :key AND version = :version", {
            kind,
            key,
            version,
          });
      }),
    [Symbol.dispose]: () => database.close(),
  };
}
