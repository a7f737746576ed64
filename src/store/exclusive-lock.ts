import { connect } from "./database.ts";
import { ensurePrivateFile } from "./private-file.ts";
import { isBusy, unwritable } from "./store-error.ts";

/**
 * Takes a lock that one process at a time can hold: SQLite's lock on a separate file, which the system releases when the process
 * dies. Returns null when another process holds the lock. Throws an OperationalError with a StoreErrorCode.
 */
export function takeExclusiveLock(path: string): Disposable | null {
  ensurePrivateFile(path);
  const connection = connect(path, "taking the lock");
  try {
    connection.pragma("busy_timeout = 0");
    connection.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    connection.close();
    if (isBusy(error)) return null;
    throw unwritable({ path, attempted: "taking the lock" }, error);
  }
  return {
    [Symbol.dispose]: () => {
      // The driver releases an open transaction only when it is garbage-collected.
      connection.exec("ROLLBACK");
      connection.close();
    },
  };
}
