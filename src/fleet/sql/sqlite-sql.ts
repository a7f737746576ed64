import type { Clock } from "agent-tty/kit";
import { z } from "zod";
import { openDatabase } from "../../store/index.ts";
import { tables } from "./tables.ts";
import type { Sql } from "./sql.ts";

const BUSY_TIMEOUT_MS = 2_000;

/** Opens or creates the SQLite file at `path`, private to the user. Rejects with a StoreErrorCode. */
export async function openSqliteSql(path: string, clock: Clock): Promise<Sql> {
  const database = await openDatabase(path, clock, BUSY_TIMEOUT_MS);
  database.write("making the tables of the fleet", () => database.exec(tables));
  return {
    rows: async (schema, statement, ...values) =>
      z.array(schema).parse(database.all(statement.replaceAll(/\$(\d+)/g, "?$1"), ...values)),
    [Symbol.asyncDispose]: async () => database.close(),
  };
}
