import { z } from "zod";
import type { Sql } from "../sql/index.ts";
import { type RepositoryChange, repositoryName } from "./repository-change.ts";

export interface FollowedRepository {
  id: number;
  /** The current name. It may change; the id does not. */
  name: z.infer<typeof repositoryName>;
  /** null: the repository is followed without a GitHub App. */
  installationId: number | null;
}

/** The repositories that a fleet works on. All processes of the fleet share them. */
export interface FollowedRepositories {
  apply(change: RepositoryChange): Promise<void>;
  /**
   * Returns whether issues of the repository are visited: it is followed, and its installation is neither suspended nor deleted.
   */
  follows(repositoryId: number): Promise<boolean>;
  /** Returns the repository if its issues are visited, otherwise null. */
  find(repositoryId: number): Promise<FollowedRepository | null>;
  /** Returns all repositories whose issues are visited, in the order of their ids. */
  all(): Promise<FollowedRepository[]>;
  /** Returns all repositories that are followed, also those whose installation is suspended or deleted. */
  followed(): Promise<FollowedRepository[]>;
}

/** The SQL condition for repositories whose issues are visited. */
export const WORKED_FOR = `fleet_repository.state = 'followed' and not exists (select 1 from fleet_installation
  where fleet_installation.installation_id = fleet_repository.installation_id and fleet_installation.state <> 'active')`;

/**
 * The assignments that make the poll read a repository again at once and from the start. Every change of whether the fleet works on
 * a repository needs them, because visits are dropped while it does not.
 */
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

/** Opens the list of the repositories that the fleet works on, in its database. */
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
          // The name of a repository that is not followed yet is stored for the time when it is.
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
          // This statement runs before the state changes, so that a kill in between loses no issue.
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
