import { join } from "node:path";
import { type Clock, type Ids, OperationalError } from "agent-tty/kit";
import type { FleetSettings, RunEnvironment } from "../../../config/index.ts";
import {
  type FleetBudget,
  type FleetErrorCode,
  migrateFleet,
  openInProcessQueue,
  openPostgresQueue,
  openPostgresSql,
  openSqliteSql,
  type Sql,
  type VisitQueue,
} from "../../../fleet/index.ts";
import { takeExclusiveLock } from "../../../store/index.ts";

export interface FleetDatabase extends AsyncDisposable {
  kind: "sqlite" | "postgresql";
  sql: Sql;
  queue: VisitQueue;
}

export interface FleetDatabaseOptions {
  databaseUrl: RunEnvironment["databaseUrl"];
  /** The directory of the SQLite file of a single-process fleet. */
  home: string;
  caps: Pick<FleetSettings, "perRepository" | "perOwner">;
  parallelism: number;
  /** The `parentIdentity()` of this process. */
  parent: string;
  clock: Clock;
  ids: Ids;
  onFailure: (message: string) => void;
}

/**
 * The number of database connections of one worker: each visit checks its fence, each of the engine's workers may hold its own
 * connection to be notified of new visits, and one connection shows that the worker is alive.
 */
export const connectionsOfWorker = (parallelism: number): number => poolSize(parallelism) + 1;
const poolSize = (parallelism: number): number => 2 * parallelism + 6;

/**
 * Opens PostgreSQL if the environment names it, else a SQLite file of the home, which only one process at a time may use. Rejects
 * with FLEET_HOME_TAKEN, FLEET_DATABASE_UNAVAILABLE or a StoreErrorCode.
 */
export async function openFleetDatabase(options: FleetDatabaseOptions): Promise<FleetDatabase> {
  const { databaseUrl, caps, parent, clock, ids, onFailure } = options;
  if (databaseUrl === null) return openSqlite(options);
  await migrateFleet(databaseUrl);
  const sql = openPostgresSql(databaseUrl, poolSize(options.parallelism));
  const queue = openPostgresQueue({ url: databaseUrl, sql, caps, parent, clock, ids, onFailure });
  return {
    kind: "postgresql",
    sql,
    queue,
    [Symbol.asyncDispose]: () => sql[Symbol.asyncDispose](),
  };
}

async function openSqlite({ home, caps, clock, onFailure }: FleetDatabaseOptions): Promise<FleetDatabase> {
  const lock = takeExclusiveLock(join(home, "fleet.lock"));
  if (lock === null)
    throw new OperationalError<FleetErrorCode>({
      code: "FLEET_HOME_TAKEN",
      message: `work as a fleet on ${join(home, "fleet.sqlite")}: another process is already using it`,
      remedy:
        "Wait for it to end, or set AFK_TRIAGE_DATABASE_URL: PostgreSQL lets many processes work together.",
    });
  try {
    const sql = await openSqliteSql(join(home, "fleet.sqlite"), clock);
    const queue = await openInProcessQueue(sql, { clock, caps, onFailure });
    return {
      kind: "sqlite",
      sql,
      queue,
      [Symbol.asyncDispose]: async () => {
        await sql[Symbol.asyncDispose]();
        lock[Symbol.dispose]();
      },
    };
  } catch (error) {
    lock[Symbol.dispose]();
    throw error;
  }
}

/** Returns the limits of a fleet by repository, owner and fleet from the settings. */
export function fleetBudget({ budget }: Pick<FleetSettings, "budget">): FleetBudget {
  return {
    repository: { usd: budget.repositoryUsd, tokens: budget.repositoryTokens },
    owner: { usd: budget.ownerUsd, tokens: budget.ownerTokens },
    fleet: { usd: budget.fleetUsd, tokens: budget.fleetTokens },
  };
}
