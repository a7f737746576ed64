import { illegalTransition, unreachable } from "./illegal-transition.ts";

/** The state of the run's Coder workspace as its provider reported it. Name and id are kept after its deletion. */
export type CoderWorkspaceFacts =
  | { state: "absent"; name: string | null; id: string | null }
  /** The id is null until the deployment answers. */
  | { state: "creating"; name: string; id: string | null }
  | { state: "ready"; name: string; id: string }
  | { state: "deleting"; name: string; id: string }
  /**
   * The Coder workspace is kept for people until the time in the result; then the first parent or reaper that sees it deletes it.
   */
  | { state: "kept"; name: string; id: string }
  /** The Coder workspace may still exist because its deletion failed. The next batch's reaper deletes it. */
  | { state: "stranded"; name: string; id: string | null };

export const coderWorkspaceStates = [
  "absent",
  "creating",
  "ready",
  "deleting",
  "kept",
  "stranded",
] as const satisfies readonly CoderWorkspaceFacts["state"][];

export type CoderWorkspaceEvent =
  | { type: "workspace-requested"; name: string }
  /** The deployment assigned an id; the Coder workspace is not ready yet. */
  | { type: "workspace-created"; id: string }
  /** There is no Coder workspace: another parent holds the name, or the create failed. */
  | { type: "workspace-refused" }
  | { type: "workspace-ready" }
  | { type: "workspace-deleting" }
  | { type: "workspace-deleted" }
  | { type: "workspace-kept" }
  | { type: "workspace-stranded"; id: string | null };

export const noCoderWorkspace: CoderWorkspaceFacts = { state: "absent", name: null, id: null };

/** Returns the facts after an event. Throws on an event that is impossible in the current state. */
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
    case "workspace-kept":
      return facts.state === "absent" ? illegal() : withId(facts, "kept", illegal);
    case "workspace-stranded":
      if (facts.state === "absent") return illegal();
      return { state: "stranded", name: facts.name, id: facts.id ?? event.id };
    default:
      return unreachable(event);
  }
}

function withId(
  facts: { name: string; id: string | null },
  state: "ready" | "deleting" | "kept",
  illegal: () => never,
): CoderWorkspaceFacts {
  return facts.id === null ? illegal() : { state, name: facts.name, id: facts.id };
}
