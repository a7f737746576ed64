import type { CoderWorkspaceProvider, LeasedWorkspace } from "../../workspaces/index.ts";
import type { VisitQueue } from "../queue/index.ts";

/**
 * Returns the provider with the fleet's facts about the parents of leases. They overrule what this machine sees: a paused process
 * still exists, but its visits have been taken over.
 */
export function tellParents(
  provider: CoderWorkspaceProvider,
  queue: Pick<VisitQueue, "parentState">,
): CoderWorkspaceProvider {
  return {
    ...provider,
    list: async (prefix, signal) => {
      const found = await provider.list(prefix, signal);
      const told: LeasedWorkspace[] = [];
      for (const workspace of found) {
        const parent = workspace.lease?.parent;
        const known = parent === undefined ? null : await queue.parentState(parent);
        told.push(known === null ? workspace : { ...workspace, parentState: known });
      }
      return told;
    },
  };
}
