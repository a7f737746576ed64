import { Client } from "pg";
import { z } from "zod";
import { databaseUnavailable } from "../fleet-error.ts";
import { endSilentConnection } from "./end-silent-connection.ts";
import { connectionConfig } from "./postgres-sql.ts";
import { recordTables } from "./record-tables.ts";
import { tables } from "./tables.ts";

const TABLES = [...`${tables}${recordTables}`.matchAll(/create table if not exists (\w+)/g)].map(
  ([, name = ""]) => name,
);

const factsRow = z.object({
  versionNumber: z.number(),
  maxConnections: z.number(),
  usedConnections: z.coerce.number(),
  nowMs: z.coerce.number(),
  missingTables: z.array(z.string()),
});

/**
 * Returns facts about PostgreSQL and the fleet's tables, and changes nothing: version, missing tables, connections in use, workers
 * that are alive, and the database's clock in milliseconds. Rejects with FLEET_DATABASE_UNAVAILABLE.
 */
export async function examineDatabase(url: string): Promise<z.infer<typeof factsRow> & { workers: number }> {
  const client = new Client(connectionConfig(url));
  client.on("error", () => undefined);
  try {
    await client.connect();
    endSilentConnection(client);
    const { rows } = await client.query(
      `select current_setting('server_version_num')::int as "versionNumber",
         current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
           - coalesce(current_setting('reserved_connections', true)::int, 0) as "maxConnections",
         (select count(*) from pg_stat_activity where backend_type = 'client backend') as "usedConnections",
         extract(epoch from clock_timestamp()) * 1000 as "nowMs",
         array(select name from unnest($1::text[]) as name where to_regclass(name) is null) as "missingTables"`,
      [["graphile_worker.jobs", ...TABLES]],
    );
    const [facts] = z.tuple([factsRow]).parse(rows);
    if (facts.missingTables.includes("fleet_worker")) return { ...facts, workers: 0 };
    const alive = await client.query("select 1 from fleet_worker where state = 'alive'");
    return { ...facts, workers: alive.rows.length };
  } catch (error) {
    throw databaseUnavailable("examine the database of the fleet", error);
  } finally {
    await client.end().catch(() => undefined);
  }
}
