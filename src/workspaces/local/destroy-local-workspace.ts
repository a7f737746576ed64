import { type Clock, messageOf, OperationalError } from "agent-tty/kit";
import type { DestroyResult, WorkspaceErrorCode, WorkspaceIdentity } from "../port.ts";
import { workspaceMarker } from "./local-workspace.ts";
import { type LockDirectory, retireLock } from "./lock-directory.ts";
import { killOwnedProcesses } from "./owned-processes.ts";
import { removeTree } from "./remove-tree.ts";

const KILL_TIMEOUT_MS = 10_000;

interface DestroyPorts {
  findLocks: (id: string) => Promise<readonly LockDirectory[]>;
  clock: Clock;
  signal: AbortSignal;
}

/**
 * Destroys a local Coder workspace. It ends the processes, then frees the name, then removes the files, so that the lock is held
 * until no process of the previous owner runs. Each step can be repeated, so the next destroy finishes one that was killed
 * half-way. Resolves with `stranded` after an abort or a failure of the file system.
 */
export async function destroyLocalWorkspace(
  root: string,
  target: WorkspaceIdentity,
  ports: DestroyPorts,
): Promise<DestroyResult> {
  try {
    let result: DestroyResult = { type: "absent" };
    for (const lock of await ports.findLocks(target.id)) {
      const one = await destroyLock(root, target, lock, ports);
      if (one.type === "stranded") return one;
      if (one.type === "destroyed") result = one;
    }
    return result;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
    return stranded(target, root, messageOf(error));
  }
}

async function destroyLock(
  root: string,
  target: WorkspaceIdentity,
  lock: LockDirectory,
  { clock, signal }: DestroyPorts,
): Promise<DestroyResult> {
  if (signal.aborted) return stranded(target, lock.path, `no time was left: ${messageOf(signal.reason)}`);
  const ownership = { marker: workspaceMarker(target.id), directories: [lock.path] };
  const pids = await killOwnedProcesses(ownership, { clock, signal, timeoutMs: KILL_TIMEOUT_MS });
  if (pids.length > 0) return stranded(target, lock.path, `its processes ${pids.join(", ")} cannot be ended`);
  const retired = await retireLock(root, lock);
  if (retired === null) return { type: "absent" };
  const obstacle = await removeTree(retired, signal);
  return obstacle === null ? { type: "destroyed" } : stranded(target, retired, obstacle);
}

function stranded({ id, name }: WorkspaceIdentity, path: string, seen: string): DestroyResult {
  const error = new OperationalError<WorkspaceErrorCode>({
    code: "WORKSPACE_STRANDED",
    message: `cannot delete the local Coder workspace ${name}: ${seen}`,
    remedy:
      "The next Triage Batch tries again. If it fails too, end the processes that use it, remove immutable flags " +
      `(chattr -R -i) and remove ${path} as its owner.`,
    details: { id, name, path },
  });
  return { type: "stranded", error };
}
