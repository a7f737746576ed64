import { readProcess } from "../processes/index.ts";
import type { SessionManifest } from "./manifest.ts";
import { STATUS_POLICY } from "./session-status.ts";

/**
 * The present meaning of a manifest on disk. `live`: its host process exists. `ended`: a terminal status. `host-lost`: the status
 * is active and the host is gone (killed, or the machine restarted); readers show it as `failed`.
 */
export type SessionLiveness = "live" | "ended" | "host-lost";

export type HostIdentity = Pick<SessionManifest, "hostPid" | "hostStartTicks">;

/** Returns whether a Session lives. Checks the host process on this machine, unless the manifest's status is terminal. */
export function sessionLiveness(manifest: HostIdentity & Pick<SessionManifest, "status">): SessionLiveness {
  if (!STATUS_POLICY[manifest.status].active) return "ended";
  return isHostRunning(manifest) ? "live" : "host-lost";
}

let own: HostIdentity | null = null;

/**
 * Returns this process's identity as a manifest stores it. It is read once, because neither the pid nor the start time ever
 * changes.
 */
export function ownHostIdentity(): HostIdentity {
  own ??= { hostPid: process.pid, hostStartTicks: readProcess(process.pid)?.startTicks ?? null };
  return own;
}

/** Returns whether the host process runs. A zombie does not count, and neither does a later process with the same pid. */
export function isHostRunning({ hostPid, hostStartTicks }: HostIdentity): boolean {
  if (hostStartTicks === null) return exists(hostPid);
  const host = readProcess(hostPid);
  return host !== null && !host.isZombie && host.startTicks === hostStartTicks;
}

/** Returns whether a process with this pid exists. For systems without /proc. */
function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
