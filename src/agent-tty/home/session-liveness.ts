import { readProcess } from "../processes/index.ts";
import type { SessionManifest } from "./manifest.ts";
import { STATUS_POLICY } from "./session-status.ts";

/**
 * The present meaning of a manifest on disk. `live`: its host process exists. `ended`: a terminal status. `host-lost`:
 * the status is active and the host is gone (killed, or the machine restarted), which readers show as `failed`.
 */
export type SessionLiveness = "live" | "ended" | "host-lost";

export type HostIdentity = Pick<SessionManifest, "hostPid" | "hostStartTicks">;

/** Looks at the host process of this machine; a manifest with a terminal status needs no look. */
export function sessionLiveness(manifest: HostIdentity & Pick<SessionManifest, "status">): SessionLiveness {
  if (!STATUS_POLICY[manifest.status].active) return "ended";
  return isHostRunning(manifest) ? "live" : "host-lost";
}

let own: HostIdentity | null = null;

/** This process, as a manifest names the host. It is read once: neither its pid nor its start ever changes. */
export function ownHostIdentity(): HostIdentity {
  own ??= { hostPid: process.pid, hostStartTicks: readProcess(process.pid)?.startTicks ?? null };
  return own;
}

/** A zombie is gone, and so is a host whose pid another process has got since. */
export function isHostRunning({ hostPid, hostStartTicks }: HostIdentity): boolean {
  if (hostStartTicks === null) return exists(hostPid);
  const host = readProcess(hostPid);
  return host !== null && !host.isZombie && host.startTicks === hostStartTicks;
}

/** Where the system has no /proc. */
function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
