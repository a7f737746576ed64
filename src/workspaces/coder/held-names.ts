import type { CreateRequest, Lease, LeasedWorkspace } from "../port.ts";

/** The names that this parent holds or is about to hold. As in Coder, they are compared case-insensitively. */
export interface HeldNames {
  /** Reserves the name for the request and returns null, or returns our lease that already holds it. */
  take(request: CreateRequest): Lease | null;
  /** Records the id of the Coder workspace that has the taken name. */
  note(name: string, id: string): void;
  /** Records that we stopped the Coder workspace with this id: it holds its name without running. */
  noteStopped(id: string): void;
  isStopped(id: string): boolean;
  /** Records that no Triage Run uses the Coder workspace under this name any more, although it may still exist. */
  noteStranded(name: string): void;
  /** Returns the stranded Coder workspace under a name, whose id is null if unknown, or null if there is no stranded one. */
  stranded(name: string): { id: string | null } | null;
  isStranded(found: Pick<LeasedWorkspace, "id" | "name" | "lease">): boolean;
  /** Frees the name if its Coder workspace is stranded. */
  releaseStranded(name: string): void;
  /** Frees the name, because no Coder workspace of ours uses it any more. */
  release(name: string): void;
  /** Returns the name of a Coder workspace, or null if it is not one of ours. */
  nameOf(id: string): string | null;
}

/**
 * Returns an empty set of held names. It is needed because repositories of several owners may have the same name, and then their
 * issues share the names of Coder workspaces. The Coder workspace under such a name shows this parent's own lease for both
 * issues. Only the parent itself can therefore know whether a Coder workspace belongs to its own lost answer or to its other
 * Triage Run.
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
