import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { sessionLiveness } from "agent-tty";
import { type Clock, type Ids, OperationalError, startDeadline } from "agent-tty/kit";
import type { GithubReader, RepositoryName } from "../github/index.ts";
import { takeExclusiveLock } from "../store/index.ts";
import type { RetentionErrorCode } from "./plan-retention.ts";
import type { ProgramHome } from "../home/index.ts";
import { applyRetention, type AppliedRetention } from "./apply-retention.ts";
import {
  issuesToAskFor,
  type KeptUnit,
  planRetention,
  type RetentionFacts,
  type RetentionLimits,
  type RetentionPlan,
} from "./plan-retention.ts";
import { readUnits } from "./read-units.ts";

export interface PrunePorts {
  clock: Clock;
  ids: Ids;
  /** Says which issues are closed; null: nobody can, and what an issue may need stays. */
  reader: Pick<GithubReader, "issue"> | null;
}

export interface PruneResult {
  plan: RetentionPlan;
  /** null: nothing was to be changed. */
  applied: AppliedRetention | null;
}

/** The time limit of one pass. The next pass continues one that was cut off. */
const DEADLINE_MS = 2 * 60_000;
/** Issues that GitHub is asked for in one pass, the one with the oldest files first. */
const MAX_ISSUES_ASKED = 200;
const ASKED_AT_ONCE = 20;

/**
 * Removes from a home what its retention policy no longer keeps. One process at a time: rejects with PRUNE_RUNNING beside
 * another. Rejects also with the signal's reason, the store's codes, and Node's error of a system call.
 */
export async function pruneHome(
  home: ProgramHome,
  limits: RetentionLimits,
  ports: PrunePorts,
  request: { isDryRun: boolean },
  signal: AbortSignal,
): Promise<PruneResult> {
  const { clock, ids } = ports;
  using _alone = request.isDryRun ? null : alone(home);
  using deadline = startDeadline(clock, "removing what the home no longer needs", DEADLINE_MS, signal);
  const units = await readUnits(home, deadline.signal);
  const facts = await withIssues(units, limits, ports, deadline.signal);
  const plan = planRetention(facts, limits, clock.nowMs());
  if (request.isDryRun) return { plan, applied: null };
  const wanted = plan.remove.map(({ unit }) => unit);
  const isNeededNow = (unit: KeptUnit): Promise<boolean> => hasCome(home, unit);
  return {
    plan,
    applied: await applyRetention(home.directory, wanted, { ids, isNeededNow }, deadline.signal),
  };
}

function alone({ directory }: ProgramHome): Disposable {
  const lock = takeExclusiveLock(join(directory, "prune.lock"));
  if (lock !== null) return lock;
  throw new OperationalError<RetentionErrorCode>({
    code: "PRUNE_RUNNING",
    message: `remove old files of ${directory}: another process does so already`,
    remedy: "Let it finish; every batch removes them when it ends.",
  });
}

/** GitHub is asked only for issues whose state decides something. What it cannot tell counts as open. */
async function withIssues(
  units: readonly KeptUnit[],
  limits: RetentionLimits,
  { reader, clock }: PrunePorts,
  signal: AbortSignal,
): Promise<RetentionFacts> {
  const issues = new Map<string, "open" | "closed">();
  if (reader === null) return { units, issues };
  const failed = new Set<string>();
  while (issues.size + failed.size < MAX_ISSUES_ASKED) {
    const wanted = issuesToAskFor({ units, issues }, limits, clock.nowMs()).filter((one) => !failed.has(one));
    if (wanted.length === 0) break;
    for (const key of wanted.slice(0, ASKED_AT_ONCE)) {
      const state = await stateOf(key, reader, signal);
      if (state === null) failed.add(key);
      else issues.set(key, state);
    }
  }
  return { units, issues };
}

async function stateOf(
  key: string,
  reader: Pick<GithubReader, "issue">,
  signal: AbortSignal,
): Promise<"open" | "closed" | null> {
  const [repo, number] = key.split("#");
  try {
    const lookup = await reader.issue({ repo: repo as RepositoryName, number: Number(number) }, signal);
    if (lookup.type === "found") return lookup.issue.state;
    // The notes of a deleted issue are gone with it. A transferred issue may live on elsewhere.
    return lookup.reason === "deleted" ? "closed" : null;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof OperationalError) return null;
    throw error;
  }
}

/** A Session may have been started again since. */
async function hasCome({ sessions }: ProgramHome, { kind, path }: KeptUnit): Promise<boolean> {
  if (kind !== "session") return false;
  const id = path.slice(path.lastIndexOf("/") + 1);
  const manifest = await sessions.readManifest(id).catch(() => null);
  return manifest !== null && sessionLiveness(manifest) === "live";
}

/** Whether anything is limited at all. */
export function isRetentionOff(limits: RetentionLimits): boolean {
  return isDeepStrictEqual(limits, { ageMs: null, sizeBytes: null });
}
