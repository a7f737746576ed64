import { messageOf, OperationalError } from "agent-tty/kit";

export type FleetErrorCode =
  /** PostgreSQL does not answer, refuses the login, or has no connection left. */
  | "FLEET_DATABASE_UNAVAILABLE"
  /** Another process of this home already works as a fleet on SQLite. */
  | "FLEET_HOME_TAKEN"
  /** This worker sent no heartbeat for too long, so other workers took over its visits. */
  | "FLEET_WORKER_REPLACED"
  /** Another fleet worker has taken over the visit. */
  | "FLEET_VISIT_LOST"
  /** The port to listen on is in use, or may not be used. */
  | "FLEET_PORT_REFUSED"
  /** No repository is named, and no GitHub App is configured that would supply the list. */
  | "FLEET_EMPTY"
  /** The tokens of the fleet's board cannot be read, or there are none. */
  | "FLEET_BOARD_TOKENS_WRONG"
  /** The fleet should receive webhooks, but has no secret to check their signatures with. */
  | "FLEET_SECRET_MISSING";

/** Returns FLEET_DATABASE_UNAVAILABLE; `attempted` is a phrase such as "enqueue a visit". */
export function databaseUnavailable(attempted: string, cause: unknown): OperationalError<FleetErrorCode> {
  return new OperationalError({
    code: "FLEET_DATABASE_UNAVAILABLE",
    message: `${attempted} in PostgreSQL: ${messageOf(cause) || "no connection"}`,
    remedy:
      "Check that the server of AFK_TRIAGE_DATABASE_URL runs, has free connections and disk, and accepts this login. Workers wait and continue automatically.",
    cause,
  });
}

export function workerReplaced(owner: string): OperationalError<FleetErrorCode> {
  return new OperationalError({
    code: "FLEET_WORKER_REPLACED",
    message: `the fleet worker ${owner} sent no heartbeat for too long, and other workers took over its visits`,
    remedy:
      "Start it again (systemd and Kubernetes do). If it happens often, give the machine more CPU or memory.",
  });
}
