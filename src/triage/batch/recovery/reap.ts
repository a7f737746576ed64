import { type Clock, startDeadline } from "agent-tty/kit";
import type { RepositoryName } from "../../../github/index.ts";
import type { TriageRunFacts } from "../../../runs/index.ts";
import type { Store } from "../../../store/index.ts";
import {
  applyReap,
  type CoderWorkspaceProvider,
  type LeasedWorkspace,
  parentState,
  planReap,
  type Reaped,
  type ReapPlan,
  verificationName,
  workspaceNamePrefixes,
} from "../../../workspaces/index.ts";

/**
 * The time that a Triage Run may still need after its run deadline to publish and delete; an older lease has no owner any more.
 */
const LEASE_MARGIN_MS = 30 * 60_000;

/** The limit of all deletions of one reap. */
const REAP_LIMIT_MS = 10 * 60_000;

export interface ReapScope {
  repos: readonly RepositoryName[];
  workspacePrefix: string | null;
  runDeadlineMs: number;
}

export interface ReapPorts {
  provider: CoderWorkspaceProvider;
  store: Store;
  /** Our own `parentIdentity()`. */
  parent: string;
}

/** Returns which Coder workspaces of these repositories to delete because dead parents left them behind (T5). Deletes nothing. */
export async function planReaping(
  scope: ReapScope,
  ports: ReapPorts,
  signal: AbortSignal,
): Promise<ReapPlan> {
  const { repos, workspacePrefix, runDeadlineMs } = scope;
  const prefixes = repos.flatMap((repo) => workspaceNamePrefixes({ repo, prefix: workspacePrefix }));
  const facts: LeasedWorkspace[] = [];
  for (const prefix of new Set(prefixes)) facts.push(...(await ports.provider.list(prefix, signal)));
  const holding = facts.some(({ parentState }) => parentState === "unknown") ? ports.store.holdingRuns() : [];
  const ofVerification = (run: TriageRunFacts): string => verificationNameOf(run, workspacePrefix);
  const known = await Promise.all(
    facts.map((workspace) => askJournal(workspace, { holding, ofVerification }, ports.store)),
  );
  return planReap(known, { ownParent: ports.parent, maxAgeMs: runDeadlineMs + LEASE_MARGIN_MS });
}

/**
 * Deletes the Coder workspaces that the plan allows to delete, and returns the result for each. One that is not deleted in time
 * is stranded: a batch waits for this, and its own deadline runs.
 */
export async function reap(
  plan: ReapPlan,
  { provider, clock }: Pick<ReapPorts, "provider"> & { clock: Clock },
  signal: AbortSignal,
): Promise<Reaped[]> {
  using limit = startDeadline(clock, "the deletion of what dead parents left", REAP_LIMIT_MS, signal);
  const within = limit.signal;
  return await applyReap(plan, { destroy: (target) => provider.destroy(target, within) }, signal);
}

/**
 * Returns the Coder workspace with its parent's state from this home's journal, if the lease does not name the parent. Some
 * templates cannot store the parent in the lease. The journal of runs that may still hold a Coder workspace then names the parent
 * that created it, if that parent ran on this machine.
 */
async function askJournal(
  workspace: LeasedWorkspace,
  { holding, ofVerification }: Journal,
  store: Store,
): Promise<LeasedWorkspace> {
  if (workspace.parentState !== "unknown") return workspace;
  const run = holding.find((each) => {
    const { id, name } = each.coderWorkspace;
    const isNamed = name === workspace.name || ofVerification(each) === workspace.name;
    return id === workspace.id || (isNamed && each.runId === workspace.lease?.runId);
  });
  const batch = run === undefined ? null : store.batch(run.runId);
  return batch === null ? workspace : { ...workspace, parentState: await parentState(batch.parent) };
}

interface Journal {
  holding: readonly TriageRunFacts[];
  /** Returns the name of the run's second Coder workspace, whether or not the run has one. */
  ofVerification: (run: TriageRunFacts) => string;
}

/** Returns the name of the Coder workspace in which the parent verifies this run's reproduction. */
export function verificationNameOf({ repo, number }: TriageRunFacts, prefix: string | null): string {
  return verificationName({ repo, number, prefix });
}
