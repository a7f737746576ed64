import { type DoctorCheck, failed, ok, skip, warn } from "../doctor-check.ts";
import type { FleetDatabaseFacts } from "./fleet-probes.ts";

const OLDEST = 14;
const [WARN_SECONDS, FAIL_SECONDS] = [30, 300];

/**
 * Returns whether PostgreSQL is new enough, has the fleet's tables, and has enough free connections for one more worker, as a
 * check. Pure.
 */
export function judgeFleetDatabase(
  { versionNumber, missingTables, maxConnections, usedConnections, workers }: FleetDatabaseFacts,
  connectionsOfWorker: number,
): DoctorCheck {
  const version = `PostgreSQL ${Math.floor(versionNumber / 10_000)}.${versionNumber % 10_000}`;
  if (versionNumber < OLDEST * 10_000)
    return failed(
      "fleet-database",
      `${version} is too old: a fleet needs ${OLDEST} or newer`,
      `Upgrade the server of AFK_TRIAGE_DATABASE_URL to PostgreSQL ${OLDEST} or newer.`,
    );
  const free = maxConnections - usedConnections;
  const use = `${usedConnections} of ${maxConnections} connections are in use, a worker holds up to ${connectionsOfWorker}`;
  if (free < connectionsOfWorker)
    return failed(
      "fleet-database",
      `${version}: ${use}`,
      "Raise max_connections of the server, lower --parallelism, or end other clients of it.",
    );
  if (missingTables.length > 0)
    return warn(
      "fleet-database",
      `${version} has no table ${missingTables.join(", ")} yet`,
      "Start one worker with `afk-triage fleet`: it creates the tables, for which its role needs the permission.",
    );
  return ok("fleet-database", `${version}, ${workers} workers are alive; ${use}`);
}

/** Returns the check of the clocks. Pure. Skews are in milliseconds, positive if this clock is ahead; null if unknown. */
export function judgeFleetClock(skews: { github: number | null; database: number | null }): DoctorCheck {
  const known = Object.entries(skews).flatMap(([of, ms]) =>
    ms === null ? [] : [{ of: NAMES[of] ?? of, ms }],
  );
  if (known.length === 0) return skip("fleet-clock", "no other clock could be read");
  const seen = known.map(({ of, ms }) => {
    const seconds = Math.round(Math.abs(ms) / 1_000);
    return `${seconds} s ${ms > 0 ? "ahead of" : "behind"} ${of}`;
  });
  const worst = Math.max(...known.map(({ ms }) => Math.round(Math.abs(ms) / 1_000)));
  const message = `this clock is ${seen.join(" and ")}`;
  const remedy = "sudo timedatectl set-ntp true";
  // GitHub refuses the token of an App whose clock is minutes off.
  if (worst > FAIL_SECONDS) return failed("fleet-clock", message, remedy);
  return worst > WARN_SECONDS ? warn("fleet-clock", message, remedy) : ok("fleet-clock", message);
}

const NAMES: Readonly<Record<string, string>> = { github: "GitHub's", database: "the database's" };
