import type { Clock } from "agent-tty/kit";
import type { FleetCaps, VisitQueue } from "../queue/index.ts";
import type { FollowedRepositories } from "../repositories/index.ts";
import { type FleetBudget, monthOf, type RepositorySpend, type SpendLedger } from "../spend/index.ts";

/** A snapshot of the fleet: its queue, its caps, and this month's spend, with a row for each repository. */
export interface FleetStatus {
  /** `2026-11` */
  month: string;
  waiting: number;
  running: number;
  /** The time for which the longest-waiting visit has been due, in milliseconds; 0: no visit waits. */
  oldestMs: number;
  workers: number;
  caps: FleetCaps;
  budget: FleetBudget;
  /** Followed repositories, and other repositories that have visits or spend this month; sorted by name. */
  repositories: RepositoryStatus[];
}

export interface RepositoryStatus extends RepositorySpend {
  isFollowed: boolean;
  waiting: number;
  running: number;
  oldestMs: number;
}

export interface StatusPorts {
  queue: Pick<VisitQueue, "state">;
  repositories: Pick<FollowedRepositories, "all">;
  spend: Pick<SpendLedger, "ofMonth">;
  caps: FleetCaps;
  budget: FleetBudget;
  clock: Clock;
}

const NOTHING = { waiting: 0, running: 0, oldestMs: 0 };
const NO_SPEND = { runs: 0, lost: 0, usd: 0, tokens: 0 };

/** Returns the fleet's status. It asks only the database. Rejects with FLEET_DATABASE_UNAVAILABLE or a StoreErrorCode. */
export async function readFleetStatus(ports: StatusPorts): Promise<FleetStatus> {
  const { caps, budget, clock } = ports;
  const month = monthOf(clock.nowMs());
  const [queue, followed, spend] = await Promise.all([
    ports.queue.state(),
    ports.repositories.all(),
    ports.spend.ofMonth(month),
  ]);
  const names = new Map(followed.map(({ id, name }) => [id, name]));
  const spent = new Map(spend.map((one) => [one.repositoryId, one]));
  const queued = new Map(queue.byRepository.map((one) => [one.repositoryId, one]));
  const ids = [...new Set([...names.keys(), ...spent.keys(), ...queued.keys()])];
  const rows = ids.map((repositoryId): RepositoryStatus => {
    // A followed repository has its current name and owner, even if an earlier owner paid for its runs.
    const repository = names.get(repositoryId) ?? spent.get(repositoryId)?.repository ?? "";
    const { waiting, running, oldestMs } = queued.get(repositoryId) ?? NOTHING;
    const { runs, lost, usd, tokens } = spent.get(repositoryId) ?? NO_SPEND;
    const owner = (repository.split("/")[0] ?? "").toLowerCase();
    const isFollowed = names.has(repositoryId);
    return {
      repositoryId,
      repository,
      owner,
      isFollowed,
      waiting,
      running,
      oldestMs,
      runs,
      lost,
      usd,
      tokens,
    };
  });
  const { waiting, running, oldestMs, workers } = queue;
  return {
    month,
    waiting,
    running,
    oldestMs,
    workers,
    caps,
    budget,
    repositories: rows.toSorted((one, other) => one.repository.localeCompare(other.repository)),
  };
}
