import { runMigrations } from "graphile-worker";
import { Client } from "pg";
import { databaseUnavailable } from "../../fleet-error.ts";
import {
  connectionConfig,
  endSilentConnection,
  openPostgresSql,
  recordTables,
  tables,
} from "../../sql/index.ts";

/** The advisory lock of the migration. */
const MIGRATION = 7_002;
/** The longest time of a statement, which may wait while another worker migrates. */
const STATEMENT_TIMEOUT_MS = 60_000;
const ANSWER_MS = 65_000;

/**
 * Creates the tables of the queue engine and of the fleet. If several workers start at once, one migrates and the others wait.
 * Rejects with FLEET_DATABASE_UNAVAILABLE.
 */
export async function migrateFleet(url: string): Promise<void> {
  const client = new Client({ ...connectionConfig(url), statement_timeout: STATEMENT_TIMEOUT_MS });
  client.on("error", () => undefined);
  try {
    await client.connect();
    endSilentConnection(client, ANSWER_MS);
    await client.query("select pg_advisory_lock($1)", [MIGRATION]);
    await using engine = openPostgresSql(url, 2, ANSWER_MS);
    await runMigrations({ pgPool: engine.pool });
    await client.query(tables);
    await client.query(recordTables);
  } catch (error) {
    throw databaseUnavailable("create the tables of the fleet", error);
  } finally {
    await client.end().catch(() => undefined);
  }
}
