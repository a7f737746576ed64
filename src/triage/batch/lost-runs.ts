import { removeUnfinishedFiles } from "agent-tty";
import type { CoderWorkspaceFacts, LifecycleEvent, TriageRunFacts } from "../../runs/index.ts";
import { parentState } from "../../workspaces/index.ts";
import type { BatchPorts } from "./batch-context.ts";
import { createRunService } from "./owned-runs.ts";

/** What the reaper found with this batch's provider: in which repositories it looked, and the names that are still there. */
export interface ReapedWorld {
  repos: readonly string[];
  present: ReadonlySet<string>;
}

/**
 * After a restart of the parent: the Sessions of a dead parent died with it, so its runs have no active prompt and no
 * Triage Agent. One whose Coder workspace is gone, too, is settled; otherwise a later batch settles it.
 */
export async function settleLostRuns(world: ReapedWorld, ports: BatchPorts): Promise<void> {
  const { kind } = ports.provider;
  await removeUnfinishedFiles(ports.sessionHome);
  for (const facts of ports.store.liveRuns()) {
    const batch = ports.store.batch(facts.runId);
    if (batch === null || batch.parent === ports.parent) continue;
    if ((await parentState(batch.parent)) !== "dead") continue;
    // One service for each: an issue may have lost several runs.
    const { owner } = createRunService(ports).rehydrate(facts, null);
    owner.lifecycle.markTerminated();
    const gone = goneEvents(facts, batch.provider === kind ? world : elsewhere);
    if (gone !== null) owner.lifecycle.report(...gone, lostEnd(batch.parent, ports.clock.nowMs()));
  }
}

/** Another provider's Coder workspaces were not looked for. */
const elsewhere: ReapedWorld = { repos: [], present: new Set() };

/** null: it may still exist. */
function goneEvents(
  { repo, coderWorkspace }: TriageRunFacts,
  { repos, present }: ReapedWorld,
): LifecycleEvent[] | null {
  const { state, name } = coderWorkspace;
  if (state === "absent") return [];
  if (!repos.includes(repo) || present.has(name)) return null;
  return leavingEvents(coderWorkspace);
}

function leavingEvents(facts: Exclude<CoderWorkspaceFacts, { state: "absent" }>): LifecycleEvent[] {
  if (facts.id === null) return facts.state === "creating" ? [{ type: "workspace-refused" }] : [];
  if (facts.state === "deleting") return [{ type: "workspace-deleted" }];
  return [{ type: "workspace-deleting" }, { type: "workspace-deleted" }];
}

function lostEnd(parent: string, atMs: number): LifecycleEvent {
  return {
    type: "run-settled",
    atMs,
    end: {
      status: "failed",
      reason: "parent-lost",
      outcome: null,
      error: {
        code: "PARENT_LOST",
        message: `the parent ${parent} ended without settling this Triage Run`,
        remedy: "Nothing more to do: its Coder workspace is gone, and a batch triages the issue again.",
      },
    },
  };
}
