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
 * First the processes, then the name, then the files: the lock is held until nothing of the old tenant runs. Each step can be
 * repeated, so a destroy that was killed half-way is finished by the next one. An abort or a failing file system strands.
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
    message: `the local Coder workspace ${name} was to be destroyed, but ${seen}`,
    remedy:
      "The next Triage Batch tries again. If it fails too, end the processes that hold it, take away immutable flags " +
      `(chattr -R -i) and remove ${path} as its owner.`,
    details: { id, name, path },
  });
  return { type: "stranded", error };
}
