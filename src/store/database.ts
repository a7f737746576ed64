import Libsql from "libsql";
import { type Clock, OperationalError } from "agent-tty/kit";
import { ensurePrivateFile } from "./private-file.ts";
import { isBusy, storeFailure, unwritable } from "./store-error.ts";

/** A boolean is not here: binding one aborts the whole process in the driver (libsql 0.5.29). */
export type Binding = string | number | Uint8Array | null;

/** The only module that knows the driver. All calls are synchronous and block while another process holds the lock. */
export interface Database {
  readonly path: string;
  /** Rows of a SELECT. */
  all(sql: string, ...bindings: Binding[]): unknown[];
  /** One writing statement; only inside `write`. Gives the number of changed rows. */
  run(sql: string, bindings: Record<string, Binding>): number;
  /** Several statements without bindings; only inside `write`. */
  exec(sql: string): void;
  /** All or nothing. `attempted` is for the message of a failure, e.g. `"saving the run"`. */
  write<T>(attempted: string, action: () => T): T;
  close(): void;
}

const WAL_SWITCH_PAUSE_MS = 20;

/** A lock that outlasted one patience may stay: no call waits for it so long again until it is gone. */
const LOCKED_PATIENCE_MS = 50;

export async function openDatabase(path: string, clock: Clock, busyTimeoutMs: number): Promise<Database> {
  ensurePrivateFile(path);
  const connection = connect(path);
  try {
    connection.pragma(`busy_timeout = ${busyTimeoutMs}`);
    await switchToWal(connection, clock, busyTimeoutMs);
    // In WAL mode NORMAL survives every crash of a process; only a power failure can lose the last commits.
    connection.pragma("synchronous = NORMAL");
    connection.pragma("foreign_keys = ON");
  } catch (error) {
    connection.close();
    throw storeFailure(path, "opening the database", error);
  }
  return wrap(path, connection, busyTimeoutMs);
}

function connect(path: string): Libsql.Database {
  try {
    return new Libsql(path);
  } catch (error) {
    // The driver's own errors of opening carry no SQLite code.
    throw unwritable(path, "opening the database", error);
  }
}

/**
 * SQLite skips the busy timeout when processes make the same new file a WAL database at once: seen in 3 of 90 opens
 * by six processes.
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
  let isLocked = false;
  const found = (locked: boolean): void => {
    if (locked === isLocked) return;
    isLocked = locked;
    const patienceMs = locked ? Math.min(LOCKED_PATIENCE_MS, busyTimeoutMs) : busyTimeoutMs;
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
  // Preparing costs ten times the writing itself; the few statements of this package are all there are.
  const writing = new Map<string, Libsql.Statement>();
  const runPrepared = (sql: string, bindings: Record<string, Binding>): number => {
    const statement = writing.get(sql) ?? connection.prepare(sql);
    // One that failed is not used again: it may still be in progress in this driver.
    writing.delete(sql);
    const { changes } = statement.run(bindings);
    writing.set(sql, statement);
    return changes;
  };
  const guarded = <T>(attempted: string, action: () => T): T => {
    // Also a bug when closed: the driver would go on with a dead handle.
    if (!isOpen) throw new Error(`the store ${path} is closed`);
    try {
      return action();
    } catch (error) {
      throw error instanceof OperationalError ? error : storeFailure(path, attempted, error);
    }
  };
  return {
    path,
    all: (sql, ...bindings) => guarded("reading", () => connection.prepare(sql).all(...bindings)),
    run: runPrepared,
    exec: (sql) => void connection.exec(sql),
    write: (attempted, action) => guarded(attempted, () => transacted(action)),
    close: () => {
      isOpen = false;
      writing.clear();
      connection.close();
    },
  };
}

/**
 * The write lock is taken by `exec`, first of all: a prepared statement that fails with SQLITE_BUSY stays in
 * progress in this driver and blocks later commits (https://github.com/tursodatabase/libsql-client-ts/issues/352).
 * Under the lock no statement can be refused as busy.
 */
function transact<T>(connection: Libsql.Database, action: () => T): T {
  connection.exec("BEGIN IMMEDIATE");
  try {
    const result = action();
    connection.exec("COMMIT");
    return result;
  } catch (error) {
    // SQLite has already rolled back by itself after a full disk or an I/O error.
    if (connection.inTransaction) connection.exec("ROLLBACK");
    throw error;
  }
}
