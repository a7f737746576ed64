import { readdir, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { removeUnfinishedFiles } from "agent-tty";
import type { IssueRef, RepositoryName } from "../../../github/index.ts";
import type { CoderWorkspaceFacts, LifecycleEvent, TriageRunFacts } from "../../../runs/index.ts";
import { parentState } from "../../../workspaces/index.ts";
import type { BatchPorts } from "../batch-context.ts";
import { createRunService } from "../owned-runs.ts";
import { verificationNameOf } from "./reap.ts";
import { runDirectory } from "../run-directory.ts";

export type LostRunPorts = Pick<
  BatchPorts,
  "provider" | "store" | "parent" | "sessionHome" | "runsDirectory" | "reproductions" | "clock" | "observe"
>;

/**
 * The facts that the reaper found with this batch's provider: the repositories that it covered, and the names of the Coder
 * workspaces that still exist.
 */
export interface ReapedWorld {
  repos: readonly string[];
  workspacePrefix: string | null;
  present: ReadonlySet<string>;
}

/**
 * Returns the batches with live runs whose parents are proven dead. Call it before the reaper lists Coder workspaces: a parent
 * that dies later may have created some after that listing, so that their absence from it proves nothing.
 */
export async function findDeadBatches({ store, parent }: LostRunPorts): Promise<ReadonlySet<string>> {
  const dead = new Set<string>();
  for (const runId of new Set(store.liveRuns().map((facts) => facts.runId))) {
    const batch = store.batch(runId);
    if (batch === null || batch.parent === parent) continue;
    if ((await parentState(batch.parent)) === "dead") dead.add(runId);
  }
  return dead;
}

/**
 * Terminates the runs of dead parents: their Sessions died with the parent, so they have no active prompt and no Triage Agent. A
 * run whose Coder workspace is gone, too, is settled; a later batch settles the others.
 */
export async function settleLostRuns(
  deadBatches: ReadonlySet<string>,
  world: ReapedWorld,
  ports: LostRunPorts,
): Promise<void> {
  const { kind } = ports.provider;
  await removeUnfinishedFiles(ports.sessionHome);
  for (const facts of ports.store.liveRuns()) {
    const batch = deadBatches.has(facts.runId) ? ports.store.batch(facts.runId) : null;
    if (batch === null) continue;
    // Each run needs a service of its own, because an issue may have lost several runs.
    const { owner } = createRunService(ports).rehydrate(facts, null);
    owner.lifecycle.markTerminated();
    const gone = goneEvents(facts, batch.provider === kind ? world : elsewhere);
    if (gone === null) continue;
    await removeUnfinished(facts, ports);
    owner.lifecycle.report(...gone, lostEnd(batch.parent, ports.clock.nowMs()));
  }
}

/** Removes temporary files that the dead parent was about to rename to the run's recordings or to its issue's reproduction. */
async function removeUnfinished(
  { runId, repo, number }: TriageRunFacts,
  { runsDirectory, reproductions }: LostRunPorts,
): Promise<void> {
  const ref: IssueRef = { repo: repo as RepositoryName, number };
  const reproduction = reproductions.pathOf(ref);
  const ofReproduction = `${basename(reproduction)}.`;
  await removeTemporary(runDirectory(runsDirectory, runId, ref), () => true);
  await removeTemporary(dirname(reproduction), (name) => name.startsWith(ofReproduction));
}

async function removeTemporary(directory: string, isOurs: (name: string) => boolean): Promise<void> {
  const names = await readdir(directory).catch(() => []);
  const left = names.filter((name) => name.endsWith(".tmp") && isOurs(name));
  await Promise.all(left.map((name) => rm(join(directory, name), { force: true })));
}

/** Used for runs of another provider, because the reaper did not look for their Coder workspaces. */
const elsewhere: ReapedWorld = { repos: [], workspacePrefix: null, present: new Set() };

/** Returns the events of a Coder workspace that is gone; null: it may still exist. */
function goneEvents(run: TriageRunFacts, world: ReapedWorld): LifecycleEvent[] | null {
  const { repos, workspacePrefix, present } = world;
  const { coderWorkspace } = run;
  const { state, name } = coderWorkspace;
  if (state === "absent") return [];
  const isPresent = present.has(name) || present.has(verificationNameOf(run, workspacePrefix));
  if (!repos.includes(run.repo) || isPresent) return null;
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
