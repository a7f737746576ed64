import { type Home, isDestroyed, type SessionManifest, STATUS_POLICY } from "../../home/index.ts";
import { killMarkedProcesses, killProcesses } from "../../host/index.ts";
import { OperationalError } from "../../kit/index.ts";
import { commandOf, readProcess } from "../../processes/index.ts";
import { HOST_ARGUMENT } from "../host-argument.ts";
import type { CommandResult } from "../report.ts";
import { askHost } from "../live-host.ts";
import { hostUnreachable } from "../../protocol/index.ts";

/**
 * Ends a Session, first with SIGHUP, then with SIGKILL. A Session that is already over is not an error. With `force`, a host
 * process that does not answer is killed, too.
 */
export async function destroy(home: Home, sessionId: string, force: boolean): Promise<CommandResult> {
  const before = await home.readManifest(sessionId);
  const reply = STATUS_POLICY[before.status].active
    ? await askHost(home, sessionId, (host) => host.call({ method: "destroy", force })).catch((error) => {
        if (force && error instanceof OperationalError && error.code === "HOST_TIMEOUT") return null;
        throw error;
      })
    : null;
  const status = reply?.status ?? (await destroyWithoutHost(home, sessionId, force));
  return { result: { sessionId, status }, text: `Session ${sessionId} is ${status}` };
}

/**
 * No lower limit on the start time: every process with the Session's marker is killed, because a restarted Session has processes
 * older than its last host.
 */
const SINCE_EVER = "0";

/** Without a host, this process ends what the host left running, and is the only writer of the status. */
async function destroyWithoutHost(home: Home, sessionId: string, force: boolean): Promise<"destroyed"> {
  if (force) await killHostProcess(await home.readManifest(sessionId), home);
  const manifest = await home.readManifest(sessionId);
  if (isDestroyed(manifest.status)) return "destroyed";
  if (STATUS_POLICY[manifest.status].active)
    throw hostUnreachable(sessionId, `it runs as process ${manifest.hostPid} and takes no calls`);
  await killMarkedProcesses({ sessionId, sinceTicks: SINCE_EVER }, home.clock);
  const updatedAt = new Date(home.clock.nowMs()).toISOString();
  await home.writeManifest({ ...manifest, status: "destroyed", updatedAt });
  return "destroyed";
}

/**
 * Kills the Session's host process. Does not kill a program that hosts the Session in its own process, or a later process with
 * the same pid.
 */
async function killHostProcess(
  { status, hostPid, hostStartTicks }: SessionManifest,
  home: Home,
): Promise<void> {
  const host = readProcess(hostPid);
  const isHost = host?.startTicks === hostStartTicks && commandOf(hostPid).includes(HOST_ARGUMENT);
  if (host !== null && isHost && STATUS_POLICY[status].active) await killProcesses([host], home.clock);
}
