import { existsSync } from "node:fs";
import { OperationalError, systemClock } from "agent-tty/kit";
import { connectToParent, type ParentConnection } from "../../runs/index.ts";
import { openStore, readRuns, type RunRow, type Store } from "../../store/index.ts";
import { parentState } from "../../workspaces/index.ts";
import { readEnvironment, resolveHome, storePath } from "../config/index.ts";
import type { CliErrorCode } from "../exit-codes.ts";

export interface RunAddress {
  home?: string;
  repo: readonly string[];
}

/** The latest Triage Run of one issue, as the store has it at the moment it is asked. */
export interface RunOfIssue extends Disposable {
  home: string;
  store: Store;
  read(): RunRow;
}

/** Rejects with RUN_NOT_FOUND when the home knows none of that number, or several. */
export async function findRun(attempted: string, number: number, address: RunAddress): Promise<RunOfIssue> {
  const home = resolveHome(address.home, readEnvironment(process.env));
  const path = storePath(home);
  // Asking must not make a home: where there is no store there are no runs.
  if (!existsSync(path)) throw notFound(attempted, number, 0);
  const store = await openStore({ path, clock: systemClock });
  try {
    const rows = readRuns(store, systemClock.nowMs()).filter(
      ({ facts }) =>
        facts.number === number && (address.repo.length === 0 || address.repo.includes(facts.repo)),
    );
    const [row] = rows;
    if (row === undefined || rows.length > 1) throw notFound(attempted, number, rows.length);
    const { repo } = row.facts;
    return {
      home,
      store,
      read: () => readRuns(store, systemClock.nowMs(), { type: "issue", repo, number })[0] ?? row,
      [Symbol.dispose]: () => store[Symbol.dispose](),
    };
  } catch (error) {
    store[Symbol.dispose]();
    throw error;
  }
}

function notFound(attempted: string, number: number, count: number): OperationalError<CliErrorCode> {
  return new OperationalError({
    code: "RUN_NOT_FOUND",
    message: `${attempted} issue ${number}: this home knows ${count} Triage Runs of that number`,
    remedy: count > 1 ? "Say which repository with --repo." : "See `afk-triage list`.",
  });
}

/** The parent that owns a run which is not settled. Rejects with PARENT_GONE, which says what is known of it. */
export async function connectToOwner(
  attempted: string,
  run: RunOfIssue,
  row: RunRow,
): Promise<ParentConnection> {
  const { home } = run;
  const lookup = await connectToParent({ home, runId: row.facts.runId }, systemClock);
  if (lookup.type === "connected") return lookup.parent;
  throw await parentGone(attempted, run, row, lookup.seen);
}

export async function parentGone(
  attempted: string,
  { store }: RunOfIssue,
  { key, facts }: RunRow,
  seen: string,
): Promise<OperationalError<CliErrorCode>> {
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
        ? "Run `afk-triage reap`; the next batch triages the issue again."
        : "Ask on the machine that runs the batch, or wait for it to end.",
  });
}

/** Whether the run's parent is proven dead: then nothing about the run will change any more. */
export async function isParentDead({ store }: RunOfIssue, { facts }: RunRow): Promise<boolean> {
  const batch = store.batch(facts.runId);
  return batch !== null && (await parentState(batch.parent)) === "dead";
}

export function isSettled({ facts }: RunRow): boolean {
  return facts.progress.phase === "settled";
}
