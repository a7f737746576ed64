import { z } from "zod";
import type { Clock, Ids } from "agent-tty/kit";
import { openDatabase } from "./database.ts";
import { migrate } from "./migrations.ts";
import { markEverything } from "./outbox-schema.ts";
import { recordKinds, recordTables, type StoreRecord } from "./store-record.ts";

/** The rows of a store that changed and were not sent yet; those that were never sent are among them. */
export interface Outbox extends Disposable {
  /** Names the store among all stores that send. */
  readonly storeId: string;
  /** The rows as they are now, at most `limit`, the one that has waited longest first; a batch comes before its runs. */
  unsent(limit: number): StoreRecord[];
  /** Takes the marks away, except from rows that have changed since they were read. */
  markSent(records: readonly StoreRecord[]): void;
}

const BUSY_TIMEOUT_MS = 2_000;
const STORE_ID_BYTES = 16;
/** A page of rows ends after the one with which it reaches this size, in characters. */
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
 * Opens the outbox of the store at `path`. From the first time on, changes of the store are marked by triggers in the transaction
 * of the change; the first time marks all that is there. Rejects with a StoreErrorCode.
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
