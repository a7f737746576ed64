import { Pool, type PoolConfig } from "pg";
import { z } from "zod";
import { databaseUnavailable } from "../fleet-error.ts";
import { endSilentConnection } from "./end-silent-connection.ts";
import type { Sql } from "./sql.ts";

/** A PostgreSQL database, with the pool that the queue engine shares. */
export interface PostgresSql extends Sql {
  readonly pool: Pool;
}

/** The longest time of a statement. A statement that takes longer is probably waiting for a lock that should not be held. */
const STATEMENT_TIMEOUT_MS = 10_000;
const CONNECT_TIMEOUT_MS = 5_000;

const nowRow = z.object({ now_ms: z.coerce.number().transform(Math.floor) });

/** Returns the configuration of every connection of a fleet. `keepAlive` detects a dead network while nothing is asked. */
export function connectionConfig(url: string): PoolConfig {
  return {
    connectionString: url,
    application_name: "afk-triage fleet",
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: 30_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 5_000,
  };
}

/**
 * Returns the database, to which it connects lazily, with at most `connections` at once. A lost connection is replaced by the next
 * statement, and so is one that answers nothing for `answerMs` milliseconds (default: 15 s).
 */
export function openPostgresSql(url: string, connections = 8, answerMs?: number): PostgresSql {
  const pool = new Pool({ ...connectionConfig(url), max: connections, idleTimeoutMillis: 30_000 });
  // Broken connections are replaced, but without these listeners a broken connection would end the process: an idle connection
  // emits "error" on the pool, and a connection that the queue engine has checked out emits it on the client.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => {
    client.on("error", () => undefined);
    endSilentConnection(client, answerMs);
  });
  const rows: Sql["rows"] = async (schema, statement, ...values) => {
    const found = await pool.query(statement, values).catch((error: unknown) => {
      throw databaseUnavailable("run a statement", error);
    });
    return z.array(schema).parse(found.rows);
  };
  return {
    pool,
    rows,
    nowMs: async () => {
      const statement = "select extract(epoch from clock_timestamp()) * 1000 as now_ms";
      const [row] = z.tuple([nowRow]).parse(await rows(nowRow, statement));
      return row.now_ms;
    },
    [Symbol.asyncDispose]: () => pool.end(),
  };
}
