import type { CreateRequest, Lease, LeasedWorkspace } from "../port.ts";

/** The names that this parent holds, or is about to. They are compared as Coder does, without case. */
export interface HeldNames {
  /** Null: the name is the request's from now on. Otherwise the lease of ours that has it. */
  take(request: CreateRequest): Lease | null;
  /** The id under the name that was taken. */
  note(name: string, id: string): void;
  /** The Coder workspace of this id was stopped by us: it holds its name without running. */
  noteStopped(id: string): void;
  isStopped(id: string): boolean;
  /** Nobody works in the Coder workspace under this name any more, but it may still be there. */
  noteStranded(name: string): void;
  /** The id of what is stranded under a name; its id is null where it is not known. */
  stranded(name: string): { id: string | null } | null;
  isStranded(found: Pick<LeasedWorkspace, "id" | "name" | "lease">): boolean;
  /** Frees the name if what it stands for is stranded. */
  releaseStranded(name: string): void;
  /** Frees the name: nothing of ours has it any more. */
  release(name: string): void;
  /** Null: not one of ours. */
  nameOf(id: string): string | null;
}

/**
 * Repositories of several owners may have one name, and then their issues share the names of Coder workspaces. What stands
 * under a name in the deployment shows this parent's own lease for both, so that only the parent itself can tell whether
 * a Coder workspace is its answer that was lost, or its other Triage Run's.
 */
export function createHeldNames(): HeldNames {
  const held = new Map<string, Held>();
  const heldBy = (id: string): [string, Held] | undefined => [...held].find(([, holder]) => holder.id === id);
  const strandedAt = (name: string): Held | undefined => {
    const holder = held.get(name.toLowerCase());
    return holder?.isStranded === true ? holder : undefined;
  };
  return {
    take: ({ name, lease }) => {
      const holder = held.get(name.toLowerCase());
      if (holder !== undefined) return holder.lease;
      held.set(name.toLowerCase(), { lease, id: null, isStopped: false, isStranded: false });
      return null;
    },
    note: (name, id) => {
      const holder = held.get(name.toLowerCase());
      if (holder !== undefined) holder.id = id;
    },
    noteStopped: (id) => {
      const [, holder] = heldBy(id) ?? [];
      if (holder !== undefined) holder.isStopped = true;
    },
    isStopped: (id) => heldBy(id)?.[1].isStopped ?? false,
    noteStranded: (name) => {
      const holder = held.get(name.toLowerCase());
      if (holder !== undefined) holder.isStranded = true;
    },
    stranded: (name) => strandedAt(name) ?? null,
    isStranded: ({ id, name, lease }) => {
      const holder = strandedAt(name);
      if (holder === undefined) return false;
      return holder.id === null ? isSameLease(holder.lease, lease) : holder.id === id;
    },
    releaseStranded: (name) => {
      if (strandedAt(name) !== undefined) held.delete(name.toLowerCase());
    },
    release: (name) => void held.delete(name.toLowerCase()),
    nameOf: (id) => heldBy(id)?.[0] ?? null,
  };
}

interface Held {
  lease: Lease;
  id: string | null;
  isStopped: boolean;
  isStranded: boolean;
}

function isSameLease(one: Lease, other: Lease | null): boolean {
  return one.runId === other?.runId && one.issueKey === other.issueKey && one.parent === other.parent;
}
