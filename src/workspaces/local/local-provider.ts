import { resolve } from "node:path";
import { type Clock, type Ids, OperationalError } from "agent-tty/kit";
import { parentState } from "../parent-identity.ts";
import type {
  CoderWorkspaceProvider,
  CreateRequest,
  CreateResult,
  LeasedWorkspace,
  WorkspaceErrorCode,
} from "../port.ts";
import { isNameUnderPrefix, isWorkspaceName } from "../workspace-name.ts";
import { type Isolation, probeIsolation, requireBash } from "./confinement.ts";
import { destroyLocalWorkspace } from "./destroy-local-workspace.ts";
import { localWorkspace } from "./local-workspace.ts";
import { claimLock, listLocks, type LockDirectory } from "./lock-directory.ts";
import { openPrivateRoot } from "./private-root.ts";
import { stopLocalWorkspace } from "./stop-local-workspace.ts";

export interface LocalProviderOptions {
  /** The directory that holds one directory per Coder workspace; created with mode 0700 if it is missing. */
  root: string;
  clock: Clock;
  ids: Ids;
  /** The `parentIdentity()` of this process. */
  parent: string;
}

const CREATE_ATTEMPTS = 3;

/**
 * Creates the provider of Coder workspaces that are private directories of this machine, for the demo and for trusted
 * repositories. Each has its own HOME, a scrubbed environment, resource limits and, if the kernel permits it, a pid namespace. It
 * is not a sandbox: files of this machine stay readable.
 */
export function createLocalProvider(options: LocalProviderOptions): CoderWorkspaceProvider {
  const { clock, parent } = options;
  const root = resolve(options.root);
  /** The inodes of the locks that this process created. Processes in a Coder workspace could rewrite the lease, but not these. */
  const ownInodes = new Map<string, bigint>();
  const stranded = new Set<string>();
  let probed: Promise<Isolation> | undefined;
  const isolation = (): Promise<Isolation> => (probed ??= probeIsolation());
  const findLocks = async (id: string): Promise<LockDirectory[]> =>
    (await listLocks(root)).filter(
      (lock) => lock.id === id || (lock.type === "locked" && lock.inode === ownInodes.get(id)),
    );

  return {
    kind: "local",

    preflight: async (signal) => {
      signal.throwIfAborted();
      await openPrivateRoot(root);
      await requireBash();
      const found = await isolation();
      const summary = `private directories of this machine under ${root}`;
      return { kind: "local", summary, warnings: warningsFor(found) };
    },

    create: async (request, signal) => {
      await openPrivateRoot(root);
      const { id, result } = await claim(root, request, options, signal);
      if (result.type === "locked") return result;
      ownInodes.set(id, result.inode);
      return {
        type: "created",
        workspace: localWorkspace({ id, name: request.name, path: result.path, clock, isolation }),
      } satisfies CreateResult;
    },

    list: async (namePrefix, signal) => {
      signal.throwIfAborted();
      const locks = (await listLocks(root)).filter((lock) => isNameUnderPrefix(lock.name, namePrefix));
      return Promise.all(locks.map((lock) => leasedWorkspace(lock, parent, clock, stranded.has(lock.id))));
    },

    leaseState: async (id, signal) => {
      signal.throwIfAborted();
      try {
        return (await findLocks(id)).some((lock) => lock.type === "locked") ? "held" : "lost";
      } catch {
        return "unknown";
      }
    },

    stop: (target, signal) => stopLocalWorkspace(target, { findLocks, isolation, clock, signal }),

    // Its processes run as the parent's user, so no other person could be given access.
    keep: async () => ({ type: "not-kept", why: "a local Coder workspace is not kept for inspection" }),

    destroy: async (target, signal) => {
      const result = await destroyLocalWorkspace(root, target, { findLocks, clock, signal });
      if (result.type === "stranded") stranded.add(target.id);
      else ownInodes.delete(target.id);
      return result;
    },
  };
}

type Claimed = Exclude<Awaited<ReturnType<typeof claimLock>>, { type: "reaped" }>;

async function claim(
  root: string,
  { name, lease }: CreateRequest,
  { clock, ids }: LocalProviderOptions,
  signal: AbortSignal,
): Promise<{ id: string; result: Claimed }> {
  if (!isWorkspaceName(name)) throw new Error(`not a Coder workspace name: ${name}`);
  for (let attempt = 1; attempt <= CREATE_ATTEMPTS; attempt += 1) {
    signal.throwIfAborted();
    const id = ids.hex(16);
    const result = await claimLock(root, name, { id, createdAtMs: clock.nowMs(), lease });
    if (result.type !== "reaped") return { id, result };
  }
  throw new OperationalError<WorkspaceErrorCode>({
    code: "WORKSPACE_CREATE_FAILED",
    message: `the local Coder workspace ${name} disappeared from ${root} ${CREATE_ATTEMPTS} times while it was being created`,
    remedy: "Make sure that no other program cleans that directory, then run the Triage Batch again.",
  });
}

async function leasedWorkspace(
  lock: LockDirectory,
  parent: string,
  clock: Clock,
  isStranded: boolean,
): Promise<LeasedWorkspace> {
  const lease = lock.record?.lease ?? null;
  return {
    id: lock.id,
    name: lock.name,
    lease,
    // The lock is half created or half removed: its record is written last and removed first.
    couldCarryLease: false,
    ageMs: Math.max(0, clock.nowMs() - lock.createdAtMs),
    holdMs: null,
    parentState: await holderState(lock, parent),
    inspection: "none",
    isStranded,
  };
}

async function holderState(lock: LockDirectory, parent: string): Promise<LeasedWorkspace["parentState"]> {
  const holder = lock.record?.lease.parent;
  if (holder === parent) return "alive";
  if (holder !== undefined) return parentState(holder);
  // The lock is half created or half removed, and its lease does not exist yet or any more. Removing it costs a living parent one
  // more attempt.
  return lock.type === "locked" ? "unknown" : "dead";
}

function warningsFor(isolation: Isolation): string[] {
  switch (isolation.type) {
    case "pid-namespace":
      return [];
    case "process-group":
      return [
        "Local Coder workspaces share this machine's process table, because pid namespaces are not available " +
          `(${isolation.reason}): code under triage can see this user's other processes and their environment, and a process ` +
          "that hides its origin may outlive its Coder workspace. Triage only repositories you trust, or use --provider coder.",
      ];
  }
}
