import { join } from "node:path";
import type { Clock } from "agent-tty/kit";
import {
  createReceiver,
  followedRepositories,
  openDeliveryInbox,
  openSqliteSql,
  type WantedVisit,
} from "../../../src/fleet/index.ts";
import { temporaryDirectory } from "../temporary-directory.ts";
import { SECRET } from "./deliveries.ts";

/** Opens a receiver on SQLite in front of a queue that only records requests. It follows the repositories 1 to 3. */
export async function webhookStage(clock: Clock, secrets: readonly string[] = [SECRET]) {
  const directory = await temporaryDirectory();
  const path = join(directory.path, "fleet.sqlite");
  const sql = await openSqliteSql(path, clock);
  const visits: WantedVisit[] = [];
  const failures: string[] = [];
  const queue = { enqueue: async (visit: WantedVisit) => void visits.push(visit) };
  const onFailure = (message: string): void => void failures.push(message);
  const inbox = openDeliveryInbox(sql, { clock, queue, onFailure });
  const repositories = followedRepositories(sql);
  const follow = (id: number): Promise<void> =>
    repositories.apply({
      type: "follow",
      repositoryId: id,
      name: `octo/r${id}`,
      installationId: 5,
      atMs: 0,
    });
  for (const id of [1, 2, 3]) await follow(id);
  const rules = { accountId: 99, appId: 42, quietMs: 30_000 };
  const receiver = createReceiver({ inbox, secrets, rules, clock, onFailure });
  return {
    sql,
    path,
    visits,
    visited: () => [...new Set(visits.map((visit) => `${visit.repositoryId}#${visit.number}`))].toSorted(),
    failures,
    queue,
    onFailure,
    inbox,
    repositories,
    receiver,
    [Symbol.asyncDispose]: async () => {
      await sql[Symbol.asyncDispose]();
      await directory[Symbol.asyncDispose]();
    },
  };
}
