import { OperationalError, systemClock } from "agent-tty/kit";
import { connectToParent, type ParentConnection } from "../runs/index.ts";
import type { RunRow, Store } from "../store/index.ts";
import { parentState } from "../workspaces/index.ts";
import type { HomeErrorCode } from "./home-error.ts";

/** The home that a run is of, and its store. */
export interface HomeOfRun {
  home: string;
  store: Store;
}

/** The parent that owns a run which is not settled. Rejects with PARENT_GONE, which says what is known of it. */
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

/**
 * The run's parent does not answer (PARENT_GONE). The message names its state and the Coder workspace that it may still
 * hold.
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

/** Whether the run's parent is proven dead: then nothing about the run will change any more. */
export async function isParentDead({ store }: HomeOfRun, { facts }: RunRow): Promise<boolean> {
  const batch = store.batch(facts.runId);
  return batch !== null && (await parentState(batch.parent)) === "dead";
}

/** Whether the run has ended and its end is recorded. */
export function isSettled({ facts }: RunRow): boolean {
  return facts.progress.phase === "settled";
}
