import Libsql from "libsql";
import { type Clock, OperationalError } from "agent-tty/kit";
import { ensurePrivateFile } from "./private-file.ts";
import { isBusy, storeFailure, unwritable } from "./store-error.ts";

/** Booleans are excluded: binding one aborts the whole process in the driver (libsql 0.5.29). */
export type Binding = string | number | Uint8Array | null;

/**
 * The database driver; no other module uses it. All calls are synchronous and block while another process holds the
 * lock.
 */
export interface Database {
  readonly path: string;
  /** Returns the rows of a SELECT; only inside `write` also those of a change with RETURNING. */
  all(sql: string, ...bindings: Binding[]): unknown[];
  /** Runs one writing statement, only inside `write`. Returns the number of changed rows. */
  run(sql: string, bindings: Record<string, Binding>): number;
  /** Runs several statements without bindings, only inside `write`. */
  exec(sql: string): void;
  /** Runs the action in a transaction. `attempted` is part of the message of a failure, e.g. `"saving the run"`. */
  write<T>(attempted: string, action: () => T): T;
  close(): void;
}

/** The maximum number of prepared read statements; the least recently used one is removed first. */
const KEPT_STATEMENTS = 64;
const WAL_SWITCH_PAUSE_MS = 20;

/** The busy timeout, in milliseconds, after one call waited for the full timeout, until the lock is released. */
const LOCKED_PATIENCE_MS = 50;

/**
 * Opens or creates the database file in WAL mode. `checksReferences: false` allows rows whose parent row is missing. Rejects with
 * an OperationalError with a StoreErrorCode.
 */
export async function openDatabase(
  path: string,
  clock: Clock,
  busyTimeoutMs: number,
  { checksReferences = true } = {},
): Promise<Database> {
  ensurePrivateFile(path);
  const connection = connect(path, "opening the database");
  try {
    connection.pragma(`busy_timeout = ${busyTimeoutMs}`);
    await switchToWal(connection, clock, busyTimeoutMs);
    // In WAL mode, NORMAL survives every crash of a process; only a power failure can lose the last commits.
    connection.pragma("synchronous = NORMAL");
    // A batch writes the same pages repeatedly: a write-ahead log four times as long as SQLite's default is copied back a quarter
    // as often.
    connection.pragma("wal_autocheckpoint = 4000");
    connection.pragma(`foreign_keys = ${checksReferences ? "ON" : "OFF"}`);
  } catch (error) {
    connection.close();
    throw storeFailure({ path, attempted: "opening the database" }, error);
  }
  return wrap(path, connection, busyTimeoutMs);
}

/** Throws STORE_UNWRITABLE. */
export function connect(path: string, attempted: string): Libsql.Database {
  try {
    return new Libsql(path);
  } catch (error) {
    // The driver's own errors on opening have no SQLite code.
    throw unwritable({ path, attempted }, error);
  }
}

/**
 * SQLite ignores the busy timeout when processes switch the same new file to WAL at once: seen in 3 of 90 opens by
 * six processes.
 */
async function switchToWal(connection: Libsql.Database, clock: Clock, patienceMs: number): Promise<void> {
  const startedMs = clock.monotonicMs();
  for (;;) {
    try {
      connection.pragma("journal_mode = WAL");
      return;
    } catch (error) {
      if (!isBusy(error) || clock.monotonicMs() - startedMs >= patienceMs) throw error;
    }
    await clock.sleep(WAL_SWITCH_PAUSE_MS);
  }
}

function wrap(path: string, connection: Libsql.Database, busyTimeoutMs: number): Database {
  let isOpen = true;
  let patienceMs = busyTimeoutMs;
  const found = (isLocked: boolean): void => {
    const nextMs = isLocked ? Math.min(LOCKED_PATIENCE_MS, busyTimeoutMs) : busyTimeoutMs;
    if (nextMs === patienceMs) return;
    patienceMs = nextMs;
    connection.pragma(`busy_timeout = ${patienceMs}`);
  };
  const transacted = <T>(action: () => T): T => {
    try {
      const result = transact(connection, action);
      found(false);
      return result;
    } catch (error) {
      if (isBusy(error)) found(true);
      throw error;
    }
  };
  // Statements are cached because preparing one takes ten times as long as running it. Only a few different statements exist.
  const writing = new Map<string, Libsql.Statement>();
  const runPrepared = (sql: string, bindings: Record<string, Binding>): number => {
    const statement = writing.get(sql) ?? connection.prepare(sql);
    // A failed statement is not reused: it may still be in progress in this driver.
    writing.delete(sql);
    const { changes } = statement.run(bindings);
    writing.set(sql, statement);
    return changes;
  };
  // Read statements are cached, too, because the garbage collector does not account for the native memory of unfinalised
  // statements.
  const reading = new Map<string, Libsql.Statement>();
  const readPrepared = (sql: string, bindings: readonly Binding[]): unknown[] => {
    const statement = reading.get(sql) ?? connection.prepare(sql);
    reading.delete(sql);
    const rows = statement.all(...bindings);
    reading.set(sql, statement);
    const [oldest] = reading.keys();
    if (reading.size > KEPT_STATEMENTS && oldest !== undefined) reading.delete(oldest);
    return rows;
  };
  const guarded = <T>(attempted: string, action: () => T): T => {
    // Throws after close: the driver would continue with an invalid handle.
    if (!isOpen) throw new Error(`the store ${path} is closed`);
    const waitedMs = patienceMs;
    try {
      return action();
    } catch (error) {
      throw error instanceof OperationalError ? error : storeFailure({ path, attempted, waitedMs }, error);
    }
  };
  return {
    path,
    all: (sql, ...bindings) => guarded("reading", () => readPrepared(sql, bindings)),
    run: runPrepared,
    exec: (sql) => void connection.exec(sql),
    write: (attempted, action) => guarded(attempted, () => transacted(action)),
    close: () => {
      isOpen = false;
      writing.clear();
      reading.clear();
      connection.close();
    },
  };
}

/**
 * Takes the write lock with `exec` before anything else: a prepared statement that fails with SQLITE_BUSY stays in
 * progress in this driver and blocks later commits (https://github.com/tursodatabase/libsql-client-ts/issues/352).
 * Under the lock no statement can fail as busy.
 */
function transact<T>(connection: Libsql.Database, action: () => T): T {
  connection.exec("BEGIN IMMEDIATE");
  try {
    const result = action();
    connection.exec("COMMIT");
    return result;
  } catch (error) {
    // SQLite has already rolled back after a full disk or an I/O error.
    if (connection.inTransaction) connection.exec("ROLLBACK");
    throw error;
  }
}
