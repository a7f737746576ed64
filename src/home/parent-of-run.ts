import { OperationalError, systemClock } from "agent-tty/kit";
import { connectToParent, type ParentConnection } from "../runs/index.ts";
import type { BatchOverview, RunRow, Store } from "../store/index.ts";
import { parentState } from "../workspaces/index.ts";
import type { HomeErrorCode } from "./home-error.ts";

/** The home that a run belongs to, and its store. */
export interface HomeOfRun {
  home: string;
  store: Store;
}

/**
 * Connects to the parent that owns a run which is not settled. Rejects with PARENT_GONE, whose message says what is known about
 * the parent.
 */
export async function connectToOwner(
  attempted: string,
  run: HomeOfRun,
  row: RunRow,
): Promise<ParentConnection> {
  const { home } = run;
  const lookup = await connectToParent({ home, runId: row.facts.runId }, systemClock);
  if (lookup.type === "connected") return lookup.parent;
  throw await parentGone(attempted, run, row, lookup.seen);
}

/** The largest number of unfinished batches that are asked for a waiting run. */
const MAX_ASKED = 100;

/** The batches in which an issue may wait for its turn. */
export function unfinishedBatches(store: Pick<Store, "batchOverviews">): BatchOverview[] {
  return store.batchOverviews({ type: "unfinished", limit: MAX_ASKED }).batches;
}

/**
 * Ends the run of an issue that waits for its turn in a batch. Such a run is not in the store yet, so this asks the parent of every
 * unfinished batch. Returns the run id of the batch, or null if the issue waits in none. Rejects with a ControlErrorCode.
 */
export async function endWaitingRun(
  how: "stop" | "kill",
  { repo, number }: { repo: string; number: number },
  { home, store }: HomeOfRun,
  signal: AbortSignal,
): Promise<string | null> {
  for (const { runId, repos } of unfinishedBatches(store)) {
    if (!repos.some((each) => each === repo)) continue;
    const lookup = await connectToParent({ home, runId }, systemClock);
    if (lookup.type === "gone") continue;
    await using parent = lookup.parent;
    if ((await parent.call({ method: how, repo, number }, signal)).type === "stopping") return runId;
  }
  return null;
}

/**
 * Returns the error PARENT_GONE: the run's parent does not answer. The message names its state and the Coder workspace that it
 * may still hold.
 */
export async function parentGone(
  attempted: string,
  { store }: HomeOfRun,
  { key, facts }: RunRow,
  seen: string,
): Promise<OperationalError<HomeErrorCode>> {
  const parent = store.batch(facts.runId)?.parent ?? "unknown";
  const state = await parentState(parent);
  const { coderWorkspace } = facts;
  const held =
    coderWorkspace.state === "absent" ? "none" : `${coderWorkspace.name} (${coderWorkspace.state})`;
  return new OperationalError({
    code: "PARENT_GONE",
    message: `${attempted} ${key}: its parent ${parent} does not answer (${seen}) and is ${
      state === "dead" ? "proven dead" : state === "alive" ? "alive" : "not known to be alive or dead"
    }. Last known: phase ${facts.progress.phase}, Coder workspace ${held}`,
    remedy:
      state === "dead"
        ? "Run `afk-triage reap`, which deletes and settles what is left of it; the next batch triages the issue again."
        : "Ask on the machine that runs the batch, or wait for it to end.",
  });
}

/** Returns whether the run's parent is proven dead; then the run will not change any more. */
export async function isParentDead({ store }: HomeOfRun, { facts }: RunRow): Promise<boolean> {
  const batch = store.batch(facts.runId);
  return batch !== null && (await parentState(batch.parent)) === "dead";
}

/** Returns whether the run has ended and its end is recorded. */
export function isSettled({ facts }: RunRow): boolean {
  return facts.progress.phase === "settled";
}
