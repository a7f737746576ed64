import { illegalTransition, unreachable } from "./illegal-transition.ts";

/** What the provider reported of the run's Coder workspace. Names and ids outlive it, for the record. */
export type CoderWorkspaceFacts =
  | { state: "absent"; name: string | null; id: string | null }
  /** The id is null until the deployment has answered. */
  | { state: "creating"; name: string; id: string | null }
  | { state: "ready"; name: string; id: string }
  | { state: "deleting"; name: string; id: string }
  /** It may still exist and could not be deleted: the next batch's reaper takes it. */
  | { state: "stranded"; name: string; id: string | null };

export const coderWorkspaceStates = [
  "absent",
  "creating",
  "ready",
  "deleting",
  "stranded",
] as const satisfies readonly CoderWorkspaceFacts["state"][];

export type CoderWorkspaceEvent =
  | { type: "workspace-requested"; name: string }
  /** The deployment gave it an id; it is not ready yet. */
  | { type: "workspace-created"; id: string }
  /** Nothing of ours exists: the name is locked by another parent, or the create failed. */
  | { type: "workspace-refused" }
  | { type: "workspace-ready" }
  | { type: "workspace-deleting" }
  | { type: "workspace-deleted" }
  | { type: "workspace-stranded"; id: string | null };

export const noCoderWorkspace: CoderWorkspaceFacts = { state: "absent", name: null, id: null };

export function transitionCoderWorkspace(
  facts: CoderWorkspaceFacts,
  event: CoderWorkspaceEvent,
): CoderWorkspaceFacts {
  const illegal = (): never => illegalTransition("Coder workspace", facts.state, event.type);
  switch (event.type) {
    case "workspace-requested":
      return facts.state === "absent" ? { state: "creating", name: event.name, id: null } : illegal();
    case "workspace-created":
      return facts.state === "creating" ? { ...facts, id: event.id } : illegal();
    case "workspace-refused":
      return facts.state === "creating" ? { ...facts, state: "absent" } : illegal();
    case "workspace-ready":
      return facts.state === "creating" ? withId(facts, "ready", illegal) : illegal();
    case "workspace-deleting":
      return facts.state === "absent" ? illegal() : withId(facts, "deleting", illegal);
    case "workspace-deleted":
      return facts.state === "deleting" ? { ...facts, state: "absent" } : illegal();
    case "workspace-stranded":
      if (facts.state === "absent") return illegal();
      return { state: "stranded", name: facts.name, id: facts.id ?? event.id };
    default:
      return unreachable(event);
  }
}

function withId(
  facts: { name: string; id: string | null },
  state: "ready" | "deleting",
  illegal: () => never,
): CoderWorkspaceFacts {
  return facts.id === null ? illegal() : { state, name: facts.name, id: facts.id };
}
