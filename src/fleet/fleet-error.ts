import { messageOf, OperationalError } from "agent-tty/kit";

export type FleetErrorCode =
  /** PostgreSQL does not answer, refuses the login, or has no connection left. */
  | "FLEET_DATABASE_UNAVAILABLE"
  /** Another process of this home already works as a fleet on SQLite. */
  | "FLEET_HOME_TAKEN"
  /** This worker was silent for too long, so that the others took over its visits. */
  | "FLEET_WORKER_REPLACED"
  /** A visit is another fleet worker's by now. */
  | "FLEET_VISIT_LOST"
  /** The port for webhooks is taken, or may not be used. */
  | "FLEET_PORT_REFUSED"
  /** No repository is named, and no GitHub App tells which ones. */
  | "FLEET_EMPTY"
  /** The tokens of the fleet's board cannot be read, or there are none. */
  | "FLEET_BOARD_TOKENS_WRONG"
  /** Webhooks are to be received, and no secret tells which are GitHub's. */
  | "FLEET_SECRET_MISSING";

/** Returns FLEET_DATABASE_UNAVAILABLE; `attempted` is a phrase such as "enqueue a visit". */
export function databaseUnavailable(attempted: string, cause: unknown): OperationalError<FleetErrorCode> {
  return new OperationalError({
    code: "FLEET_DATABASE_UNAVAILABLE",
    message: `${attempted} in PostgreSQL: ${messageOf(cause) || "no connection"}`,
    remedy:
      "Check that the server of AFK_TRIAGE_DATABASE_URL runs, has free connections and disk, and accepts this login. Workers wait and go on by themselves.",
    cause,
  });
}

/** Returns FLEET_WORKER_REPLACED. */
export function workerReplaced(owner: string): OperationalError<FleetErrorCode> {
  return new OperationalError({
    code: "FLEET_WORKER_REPLACED",
    message: `the fleet worker ${owner} gave no sign of life for too long, and others took over its visits`,
    remedy:
      "Start it again (systemd and Kubernetes do). If it happens often, give the machine more CPU or memory.",
  });
}
