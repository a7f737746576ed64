import { type BatchPorts, type BatchSettings, reapLeaked } from "../../triage/index.ts";
import type { VisitQueue } from "../queue/index.ts";
import type { FollowedRepository } from "../repositories/index.ts";
import { tellParents } from "../visits/index.ts";

/** Deletes the Coder workspaces that dead parents left behind for a repository, because its issues may never be visited again. */
export async function reapRepository(
  { name }: FollowedRepository,
  { workspacePrefix, runDeadlineMs }: BatchSettings,
  ports: BatchPorts,
  queue: Pick<VisitQueue, "parentState">,
  signal: AbortSignal,
): Promise<void> {
  const { observe } = ports;
  const told = { ...ports, provider: tellParents(ports.provider, queue) };
  const { reaped } = await reapLeaked({ repos: [name], workspacePrefix, runDeadlineMs }, told, signal);
  for (const { workspace, reason, result } of reaped)
    if (result.type === "stranded")
      observe({
        type: "warning",
        message: `a leaked Coder workspace was not deleted: ${result.error.message}`,
      });
    else observe({ type: "reaped", name: workspace.name, reason });
}
