import { type Home, isDestroyed, STATUS_POLICY } from "../../home/index.ts";
import { killMarkedProcesses } from "../../host/index.ts";
import type { CommandResult } from "../report.ts";
import { askHost } from "../live-host.ts";
import { hostUnreachable } from "../../protocol/index.ts";

/** Ends a Session politely, then by force; tolerant of one that is already over. */
export async function destroy(home: Home, sessionId: string, force: boolean): Promise<CommandResult> {
  const before = await home.readManifest(sessionId);
  const reply = STATUS_POLICY[before.status].active
    ? await askHost(home, sessionId, (host) => host.call({ method: "destroy", force }))
    : null;
  const status = reply?.status ?? (await destroyWithoutHost(home, sessionId));
  return { result: { sessionId, status }, text: `Session ${sessionId} is ${status}` };
}

/** Every process that carries the Session's marker: a restarted Session has some that are older than its last host. */
const SINCE_EVER = "0";

/** The host is gone, so this process ends what it left running, and is the only writer of the status. */
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
