import { readProcess } from "../processes/index.ts";
import type { SessionManifest } from "./manifest.ts";
import { STATUS_POLICY } from "./session-status.ts";

/**
 * What a manifest on disk means now. `live`: its host process exists. `ended`: a terminal status. `host-lost`: the status is
 * active and the host is gone (killed, or the machine restarted); readers show it as `failed`.
 */
export type SessionLiveness = "live" | "ended" | "host-lost";

export type HostIdentity = Pick<SessionManifest, "hostPid" | "hostStartTicks">;

/** Checks the host process on this machine, unless the manifest's status is terminal. */
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

/** Returns false for a zombie, and for a host whose pid now belongs to another process. */
export function isHostRunning({ hostPid, hostStartTicks }: HostIdentity): boolean {
  if (hostStartTicks === null) return exists(hostPid);
  const host = readProcess(hostPid);
  return host !== null && !host.isZombie && host.startTicks === hostStartTicks;
}

/** For systems without /proc. */
function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
