import { z } from "zod";
import type { Sql } from "../sql/index.ts";
import { type RepositoryChange, repositoryName } from "./repository-change.ts";

export interface FollowedRepository {
  id: number;
  /** The name of now; the id is what stays. */
  name: z.infer<typeof repositoryName>;
  /** null: followed without a GitHub App. */
  installationId: number | null;
}

/** The repositories that a fleet works for. All processes of the fleet share them. */
export interface FollowedRepositories {
  apply(change: RepositoryChange): Promise<void>;
  /** Whether a visit is any use: the repository is followed, and its installation neither suspended nor deleted. */
  follows(repositoryId: number): Promise<boolean>;
  /** The repository, where a visit is any use; else null. */
  find(repositoryId: number): Promise<FollowedRepository | null>;
  /** All that are worked for, in the order of their ids. */
  all(): Promise<FollowedRepository[]>;
  /** All that are followed, also those whose installation is suspended or deleted. */
  followed(): Promise<FollowedRepository[]>;
}

/** Restricts a statement to repositories that are worked for. */
export const WORKED_FOR = `fleet_repository.state = 'followed' and not exists (select 1 from fleet_installation
  where fleet_installation.installation_id = fleet_repository.installation_id and fleet_installation.state <> 'active')`;

/** Visits of a repository are dropped while it is not worked for, so any change of that has it polled from the start, and at once. */
const FROM_START = "polled_at_ms = 0, polled_to = null, polled_last = '[]'";

const IS_SAME = `fleet_repository.state = excluded.state
  and coalesce(fleet_repository.installation_id, 0) = coalesce(excluded.installation_id, 0)`;

const SET_STATE = `insert into fleet_repository
  (repository_id, name, name_at_ms, installation_id, state, state_at_ms, polled_at_ms, polled_to, polled_last)
  values ($1, $2, 0, $3, $4, $5, 0, null, '[]')
  on conflict (repository_id) do update set state = excluded.state, state_at_ms = excluded.state_at_ms,
    installation_id = excluded.installation_id,
    polled_at_ms = case when ${IS_SAME} then fleet_repository.polled_at_ms else excluded.polled_at_ms end,
    polled_to = case when ${IS_SAME} then fleet_repository.polled_to else excluded.polled_to end,
    polled_last = case when ${IS_SAME} then fleet_repository.polled_last else excluded.polled_last end
  where excluded.state_at_ms >= fleet_repository.state_at_ms`;

const followed = z.object({
  id: z.coerce.number(),
  name: repositoryName,
  installationId: z.coerce.number().nullable(),
});
const SELECT = `select repository_id as id, name, installation_id as "installationId" from fleet_repository where`;

/** The repositories that the fleet works for, in its database. */
export function followedRepositories(sql: Sql): FollowedRepositories {
  const run = async (statement: string, ...values: (string | number | null)[]): Promise<void> => {
    await sql.rows(z.unknown(), statement, ...values);
  };
  const find = async (repositoryId: number): Promise<FollowedRepository | null> => {
    const [found] = await sql.rows(followed, `${SELECT} ${WORKED_FOR} and repository_id = $1`, repositoryId);
    return found ?? null;
  };
  return {
    apply: async (change) => {
      switch (change.type) {
        case "follow":
          return run(
            SET_STATE,
            change.repositoryId,
            change.name,
            change.installationId,
            "followed",
            change.atMs,
          );
        case "leave":
          return run(SET_STATE, change.repositoryId, change.name, null, "left", change.atMs);
        case "rename":
          // A repository that is not followed yet keeps its name until it is.
          return run(
            `insert into fleet_repository
             (repository_id, name, name_at_ms, installation_id, state, state_at_ms, polled_at_ms, polled_to, polled_last)
             values ($1, $2, $3, null, 'left', 0, 0, null, '[]')
             on conflict (repository_id) do update set name = excluded.name, name_at_ms = excluded.name_at_ms
             where excluded.name_at_ms >= fleet_repository.name_at_ms`,
            change.repositoryId,
            change.name,
            change.atMs,
          );
        case "installation":
          // Before the state, so that a process that is killed in between loses no issue.
          await run(
            `update fleet_repository set ${FROM_START} where installation_id = $1 and exists (
               select 1 from fleet_installation where installation_id = $1 and state <> $2 and state_at_ms <= $3)`,
            change.installationId,
            change.state,
            change.atMs,
          );
          return run(
            `insert into fleet_installation (installation_id, state, state_at_ms) values ($1, $2, $3)
             on conflict (installation_id) do update set state = excluded.state, state_at_ms = excluded.state_at_ms
             where excluded.state_at_ms >= fleet_installation.state_at_ms`,
            change.installationId,
            change.state,
            change.atMs,
          );
      }
    },
    follows: async (repositoryId) => (await find(repositoryId)) !== null,
    find,
    all: () => sql.rows(followed, `${SELECT} ${WORKED_FOR} order by repository_id`),
    followed: () => sql.rows(followed, `${SELECT} state = 'followed' order by repository_id`),
  };
}
