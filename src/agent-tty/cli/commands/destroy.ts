import { type Home, isDestroyed, STATUS_POLICY } from "../../home/index.ts";
import { killMarkedProcesses } from "../../host/index.ts";
import type { CommandResult } from "../report.ts";
import { askHost } from "../live-host.ts";
import { hostUnreachable } from "../../protocol/index.ts";

/** Ends a Session, first with SIGHUP, then with SIGKILL. A Session that is already over is not an error. */
export async function destroy(home: Home, sessionId: string, force: boolean): Promise<CommandResult> {
  const before = await home.readManifest(sessionId);
  const reply = STATUS_POLICY[before.status].active
    ? await askHost(home, sessionId, (host) => host.call({ method: "destroy", force }))
    : null;
  const status = reply?.status ?? (await destroyWithoutHost(home, sessionId));
  return { result: { sessionId, status }, text: `Session ${sessionId} is ${status}` };
}

/**
 * No lower limit on the start time: every process with the Session's marker is killed, because a restarted Session has processes
 * older than its last host.
 */
const SINCE_EVER = "0";

/** Without a host, this process ends what the host left running, and is the only writer of the status. */
async function destroyWithoutHost(home: Home, sessionId: string): Promise<"destroyed"> {
  const manifest = await home.readManifest(sessionId);
  if (isDestroyed(manifest.status)) return "destroyed";
  if (STATUS_POLICY[manifest.status].active)
    throw hostUnreachable(sessionId, `it runs as process ${manifest.hostPid} and takes no calls`);
  await killMarkedProcesses({ sessionId, sinceTicks: SINCE_EVER }, home.clock);
  const updatedAt = new Date(home.clock.nowMs()).toISOString();
  await home.writeManifest({ ...manifest, status: "destroyed", updatedAt });
  return "destroyed";
}
