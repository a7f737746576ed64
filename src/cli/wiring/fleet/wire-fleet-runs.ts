import { join, resolve } from "node:path";
import type { Clock, Ids } from "agent-tty/kit";
import type { BoardPlaces } from "../../../board/index.ts";
import type { RunEnvironment } from "../../../config/index.ts";
import {
  type FleetCopy,
  migrateFleet,
  openFleetCopy,
  openPostgresSql,
  readParentState,
} from "../../../fleet/index.ts";
import { parentState } from "../../../workspaces/index.ts";

/** The Triage Runs of all workers of a fleet, stored on this machine, and the places from which a board reads them. */
export interface FleetRuns extends AsyncDisposable {
  places: Required<BoardPlaces>;
}

const CONNECTIONS = 2;

/**
 * Keeps a copy of the fleet's records below the worker's home, or the home, until it is disposed. null if the environment names
 * no database. Rejects with FLEET_DATABASE_UNAVAILABLE or a StoreErrorCode.
 */
export async function openFleetRuns(
  { databaseUrl, workerHome }: Pick<RunEnvironment, "databaseUrl" | "workerHome">,
  home: string,
  ports: { clock: Clock; ids: Ids; onFailure: (message: string) => void },
): Promise<FleetRuns | null> {
  if (databaseUrl === null) return null;
  await migrateFleet(databaseUrl);
  const workerDirectory = resolve(workerHome ?? home);
  const sql = openPostgresSql(databaseUrl, CONNECTIONS);
  const ended = new AbortController();
  let copy: FleetCopy | null = null;
  try {
    copy = await openFleetCopy({ sql, directory: join(workerDirectory, "fleet-board"), ...ports });
    await copy.refresh(ended.signal);
  } catch (error) {
    copy?.[Symbol.dispose]();
    await sql[Symbol.asyncDispose]();
    throw error;
  }
  const opened = copy;
  const following = opened.follow(ended.signal);
  return {
    places: { storePath: opened.storePath, workerDirectory, parentState: stateOf },
    [Symbol.asyncDispose]: async () => {
      ended.abort();
      await following;
      opened[Symbol.dispose]();
      await sql[Symbol.asyncDispose]();
    },
  };

  /**
   * Returns the state of a parent. This machine cannot check parents on other machines, so their state comes from the fleet's
   * database.
   */
  async function stateOf(parent: string): Promise<"alive" | "dead" | "unknown"> {
    const own = await parentState(parent);
    if (own !== "unknown") return own;
    return (await readParentState(sql, parent).catch(() => null)) ?? "unknown";
  }
}
