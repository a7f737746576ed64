import type { Clock } from "agent-tty/kit";
import { z } from "zod";
import { openDatabase } from "../../store/index.ts";
import { tables } from "./tables.ts";
import type { Sql } from "./sql.ts";

const BUSY_TIMEOUT_MS = 2_000;

/**
 * Opens or creates the SQLite file at `path`, private to the user. `busyTimeoutMs`: how long a statement waits for another
 * program's lock, in milliseconds. Rejects with a StoreErrorCode.
 */
export async function openSqliteSql(
  path: string,
  clock: Clock,
  busyTimeoutMs = BUSY_TIMEOUT_MS,
): Promise<Sql> {
  const database = await openDatabase(path, clock, busyTimeoutMs);
  database.write("creating the tables of the fleet", () => database.exec(tables));
  return {
    rows: async (schema, statement, ...values) => {
      const run = (): unknown[] => database.all(statement.replaceAll(/\$(\d+)/g, "?$1"), ...values);
      // A change takes the lock first: one that fails as busy would stay in progress in the driver, and everything stored after it
      // would be rolled back. Reading needs no lock.
      const isRead = /^\s*select\b/i.test(statement);
      return z.array(schema).parse(isRead ? run() : database.write("changing the tables of the fleet", run));
    },
    nowMs: () => Promise.resolve(clock.nowMs()),
    [Symbol.asyncDispose]: async () => database.close(),
  };
}
