import { z } from "zod";
import { type Clock, parseJson } from "agent-tty/kit";
import { type Binding, type Database, openDatabase } from "./database.ts";
import { migrate } from "./migrations.ts";
import { isRefusedRow } from "./store-error.ts";
import { type RecordKind, recordTables, type StoreRecord } from "./store-record.ts";

/** A store that is filled with the rows of other stores and is read like any other store. */
export interface RecordCopy extends Disposable {
  /** Returns the cursor of the last `apply`; null: the copy is empty. */
  cursor(): string | null;
  /** Stores rows and the cursor in one transaction. Returns the names of the rows that the schema refuses. */
  apply(records: readonly Pick<StoreRecord, "kind" | "key" | "content">[], cursor: string): string[];
  /** Deletes all rows that began before this time, in epoch milliseconds. */
  forgetBefore(atMs: number): void;
}

const BUSY_TIMEOUT_MS = 2_000;

const row = z.record(z.string(), z.union([z.string(), z.number(), z.null()]));

/**
 * The rules for which of two rows with the same key is kept: of a run the newer one, of a batch the finished one, of a link the
 * proven one, of a fact the first one.
 */
const conflicts: Record<RecordKind, { key: string; wins: string | null }> = {
  batch: { key: "run_id", wins: "batches.finished_at_ms IS NULL" },
  run: { key: "run_id, repo, number", wins: "excluded.updated_at_ms >= runs.updated_at_ms" },
  duplicate: {
    key: "repo, first, second",
    wins: "excluded.kind = 'proven' OR duplicate_links.kind = 'may-be'",
  },
  trust: { key: "key", wins: null },
};

/**
 * Opens or creates the copy at `path`. Rows arrive in any order, so a run may be stored before its batch: references are not
 * checked. Rejects with a StoreErrorCode.
 */
export async function openRecordCopy(path: string, clock: Clock): Promise<RecordCopy> {
  const database = await openDatabase(path, clock, BUSY_TIMEOUT_MS, { checksReferences: false });
  try {
    migrate(database, clock);
  } catch (error) {
    database.close();
    throw error;
  }
  const columns = new Map(
    Object.values(recordTables).map(({ table }) => [table, columnsOf(database, table)] as const),
  );
  const save = (kind: RecordKind, content: string): boolean => {
    const { table } = recordTables[kind];
    const given = row.safeParse(parseJson(content)).data ?? {};
    // Columns that this version or the sender's version does not have are omitted.
    const names = (columns.get(table) ?? []).filter((name) => name in given);
    const bindings: Record<string, Binding> = Object.fromEntries(
      names.map((name) => [name, given[name] ?? null]),
    );
    try {
      if (names.length > 0) database.run(upsert(kind, names), bindings);
      return names.length > 0;
    } catch (error) {
      if (isRefusedRow(error)) return false;
      throw error;
    }
  };
  return {
    cursor: () =>
      z
        .array(z.object({ cursor: z.string() }))
        .parse(database.all("SELECT cursor FROM copy_cursor"))
        .at(0)?.cursor ?? null,
    apply: (records, cursor) =>
      database.write("copying rows of the fleet", () => {
        const refused = records.filter(({ kind, content }) => !save(kind, content));
        database.run(
          "INSERT INTO copy_cursor (id, cursor) VALUES (1, :cursor) ON CONFLICT (id) DO UPDATE SET cursor = excluded.cursor",
          { cursor },
        );
        return refused.map(({ kind, key }) => `${kind} ${key}`);
      }),
    forgetBefore: (atMs) =>
      database.write("deleting old rows of the fleet", () => {
        const before = "WHERE run_id IN (SELECT run_id FROM batches WHERE started_at_ms < :atMs)";
        database.run(`DELETE FROM runs ${before}`, { atMs });
        database.run("DELETE FROM batches WHERE started_at_ms < :atMs", { atMs });
        database.run("DELETE FROM duplicate_links WHERE decided_at_ms < :atMs", { atMs });
        database.run("DELETE FROM trust_facts WHERE at_ms < :atMs", { atMs });
      }),
    [Symbol.dispose]: () => database.close(),
  };
}

/** Returns the columns of a table without `seq`, which each store counts separately. */
function columnsOf(database: Database, table: string): string[] {
  const found = database.all(`SELECT name FROM pragma_table_info('${table}') WHERE name <> 'seq'`);
  return z
    .array(z.object({ name: z.string() }))
    .parse(found)
    .map(({ name }) => name);
}

function upsert(kind: RecordKind, names: readonly string[]): string {
  const { key, wins } = conflicts[kind];
  const set = names.map((name) => `${name} = excluded.${name}`).join(", ");
  return `INSERT INTO ${recordTables[kind].table} (${names.join(", ")}) VALUES (${names.map((name) => `:${name}`).join(", ")})
    ON CONFLICT (${key}) DO ${wins === null ? "NOTHING" : `UPDATE SET ${set} WHERE ${wins}`}`;
}
