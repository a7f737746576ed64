import Libsql from "libsql";
import { ensurePrivateFile } from "./private-file.ts";
import { isBusy, unwritable } from "./store-error.ts";

/**
 * What one process at a time may do. SQLite's own lock on a file of its own, which the system lets go of when the process
 * dies, however it dies. null: somebody else holds it. Throws an OperationalError with a StoreErrorCode.
 */
export function takeExclusiveLock(path: string): Disposable | null {
  ensurePrivateFile(path);
  const connection = connect(path);
  try {
    connection.pragma("busy_timeout = 0");
    connection.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    connection.close();
    if (isBusy(error)) return null;
    throw unwritable(path, "taking the lock", error);
  }
  return {
    [Symbol.dispose]: () => {
      // The driver lets go of an open transaction no earlier than it is collected.
      connection.exec("ROLLBACK");
      connection.close();
    },
  };
}

function connect(path: string): Libsql.Database {
  try {
    return new Libsql(path);
  } catch (error) {
    throw unwritable(path, "taking the lock", error);
  }
}
