import { messageOf } from "agent-tty/kit";
import type { ReapPlan, WorkspaceIdentity } from "../../../workspaces/index.ts";
import type { BatchPorts, Inspections } from "../batch-context.ts";
import type { BatchSettings } from "../settings.ts";
import { destroyWorkspace } from "./hold-workspace.ts";

/** Returns how many Coder workspaces of the plan's repositories are already kept for inspection. */
export function keptEarlier({ keep }: ReapPlan): number {
  return keep.filter(({ reason }) => reason === "kept-for-inspection").length;
}

/**
 * Returns the inspections of a batch: the Coder workspaces of failed runs that it keeps for people. A kept Coder workspace stores
 * the end of its inspection, so that any reaper destroys it after that time. If this batch is still running then, it destroys the
 * Coder workspace itself.
 */
export function createInspections(
  { inspection }: Pick<BatchSettings, "inspection">,
  ports: Pick<BatchPorts, "clock" | "provider" | "observe">,
): Inspections {
  const { clock, provider, observe } = ports;
  const timers: Disposable[] = [];
  const deletions = new Set<Promise<void>>();
  let count = 0;

  const end = async (workspace: WorkspaceIdentity): Promise<void> => {
    const result = await destroyWorkspace(workspace, ports);
    if (result.type === "stranded") observe({ type: "warning", message: messageOf(result.error) });
    else observe({ type: "reaped", name: workspace.name, reason: "inspection-over" });
    if (result.type !== "stranded") count -= 1;
  };

  return {
    noteEarlier: (earlier) => void (count += earlier),
    keep: async (workspace, ref, signal) => {
      if (inspection === null) return null;
      const { name } = workspace;
      const refuse = (why: string): null => {
        observe({ type: "warning", message: `${name} is destroyed instead of kept for inspection: ${why}` });
        return null;
      };
      if (count >= inspection.limit)
        return refuse(`${count} are kept already, the limit of coder.inspectionLimit`);
      count += 1;
      const result = await provider.keep(workspace, inspection.keepMs, signal).catch((error: unknown) => ({
        type: "not-kept" as const,
        why: messageOf(error),
      }));
      if (result.type === "not-kept") {
        count -= 1;
        return refuse(result.why);
      }
      const until = new Date(result.untilMs).toISOString();
      for (const message of result.warnings) observe({ type: "warning", message });
      observe({ type: "kept-for-inspection", ref, name, until });
      timers.push(
        clock.schedule(result.leftMs, () => {
          const deletion = end(workspace).finally(() => deletions.delete(deletion));
          deletions.add(deletion);
        }),
      );
      return until;
    },
    [Symbol.asyncDispose]: async () => {
      for (const timer of timers) timer[Symbol.dispose]();
      await Promise.all(deletions);
    },
  };
}
