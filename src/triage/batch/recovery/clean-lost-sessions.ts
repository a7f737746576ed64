import { existsSync } from "node:fs";
import type { Home, SessionManifest } from "agent-tty";
import { messageOf } from "agent-tty/kit";
import { emptySession, secretLeaked } from "../../quarantine/index.ts";
import type { BatchPorts } from "../batch-context.ts";

export type LostSessionPorts = Pick<BatchPorts, "store" | "sessionHome" | "cleaner" | "observe">;

/**
 * Removes secrets from the Sessions of dead parents, which had no time to do it (S8, S18). It runs before any other request is
 * made. A Session that cannot be cleaned is emptied. Sessions that were cleaned before are not changed.
 */
export async function cleanLostSessions(
  deadBatches: ReadonlySet<string>,
  ports: LostSessionPorts,
  signal: AbortSignal,
): Promise<void> {
  if (deadBatches.size === 0) return;
  for (const directory of await lostSessions(deadBatches, ports)) {
    try {
      const hit = await ports.cleaner.clean(directory, signal);
      if (hit === null) continue;
      const { message, remedy } = secretLeaked(hit, `the Session ${directory}`);
      ports.observe({ type: "warning", message: `${message} ${remedy}` });
    } catch (error) {
      signal.throwIfAborted();
      emptySession(directory);
      const message = `the Session ${directory} of a dead parent was emptied, since it could not be cleaned: ${messageOf(error)}`;
      ports.observe({ type: "warning", message });
    }
  }
}

/** Returns the directories of the Triage Agents' Sessions and of all other Sessions that a dead parent had opened. */
async function lostSessions(
  deadBatches: ReadonlySet<string>,
  { store, sessionHome }: LostSessionPorts,
): Promise<readonly string[]> {
  const parents = [...deadBatches].flatMap((runId) => store.batch(runId)?.parent ?? []);
  const opened = await openedBy(parents, sessionHome);
  const named = store
    .liveRuns()
    .flatMap(({ runId, sessionId }) => (sessionId !== null && deadBatches.has(runId) ? [sessionId] : []));
  const directories = [...new Set([...named, ...opened])].map((id) => sessionHome.sessionDirectory(id));
  return directories.filter((directory) => existsSync(directory));
}

async function openedBy(parents: readonly string[], home: Home): Promise<string[]> {
  const readings = await home.listManifests();
  const manifests = readings.flatMap((reading) => (reading.type === "read" ? [reading.manifest] : []));
  return manifests
    .filter((manifest) => parents.some((parent) => isHostedBy(manifest, parent)))
    .map(({ sessionId }) => sessionId);
}

/**
 * Returns whether `parent` hosted the Session. `parent` is `hostname/pid/startTime`; its last part is the start time of the host
 * in the manifest.
 */
function isHostedBy({ hostPid, hostStartTicks }: SessionManifest, parent: string): boolean {
  return parent.split("/")[1] === String(hostPid) && parent.endsWith(hostStartTicks ?? "");
}
