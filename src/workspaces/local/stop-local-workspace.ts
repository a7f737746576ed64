import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { type Clock, messageOf, OperationalError } from "agent-tty/kit";
import type { StopResult, WorkspaceErrorCode, WorkspaceIdentity } from "../port.ts";
import type { Isolation } from "./confinement.ts";
import { workspaceMarker } from "./local-workspace.ts";
import { LOCK_FOLDERS, type LockDirectory } from "./lock-directory.ts";
import { killOwnedProcesses } from "./owned-processes.ts";
import { removeTree } from "./remove-tree.ts";

const KILL_TIMEOUT_MS = 10_000;

interface StopPorts {
  findLocks: (id: string) => Promise<readonly LockDirectory[]>;
  isolation: () => Promise<Isolation>;
  clock: Clock;
  signal: AbortSignal;
}

/**
 * Stops a local Coder workspace. It ends the processes, then removes the files, so that nothing is left that could write again.
 * The directory itself stays with its lease, since it is the lock. The end of the processes is proven if they had a pid
 * namespace, which ends all of them together.
 */
export async function stopLocalWorkspace(
  target: WorkspaceIdentity,
  { findLocks, isolation, clock, signal }: StopPorts,
): Promise<StopResult> {
  signal.throwIfAborted();
  try {
    const lock = (await findLocks(target.id)).find(({ type }) => type === "locked");
    if (lock === undefined) return notStopped(target, "its directory is gone");
    const ownership = { marker: workspaceMarker(target.id), directories: [lock.path] };
    const pids = await killOwnedProcesses(ownership, { clock, signal, timeoutMs: KILL_TIMEOUT_MS });
    signal.throwIfAborted();
    if (pids.length > 0) return notStopped(target, `its processes ${pids.join(", ")} cannot be ended`);
    for (const folder of LOCK_FOLDERS) {
      const obstacle = await removeTree(join(lock.path, folder), signal);
      signal.throwIfAborted();
      if (obstacle !== null) return notStopped(target, `its files cannot be removed: ${obstacle}`);
      await mkdir(join(lock.path, folder), { mode: 0o700 });
    }
    return { type: "stopped", isProven: (await isolation()).type === "pid-namespace" };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
    return notStopped(target, messageOf(error));
  }
}

function notStopped({ id, name }: WorkspaceIdentity, seen: string): StopResult {
  const error = new OperationalError<WorkspaceErrorCode>({
    code: "WORKSPACE_NOT_STOPPED",
    message: `the local Coder workspace ${name} was to be stopped before the verification, but ${seen}`,
    remedy:
      "End the processes that use it and remove immutable flags (chattr -R -i). The next batch tries again.",
    details: { id, name },
  });
  return { type: "not-stopped", error };
}
