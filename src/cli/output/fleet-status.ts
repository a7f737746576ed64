import type { FleetStatus, RepositorySpend } from "../../fleet/index.ts";
import { formatDuration } from "./format-duration.ts";

export function fleetStatusDocument(status: FleetStatus) {
  const { month, waiting, running, oldestMs, workers, repositories } = status;
  const byRepository = repositories
    .filter((one) => one.waiting + one.running > 0)
    .map(({ repositoryId, waiting, running, oldestMs }) => ({ repositoryId, waiting, running, oldestMs }));
  const spend = spendOf(status);
  return {
    schema: "afk-triage/fleet-status@1",
    queue: { waiting, running, oldestMs, workers, byRepository },
    spend: { month, ...totalOf(spend), byOwner: byOwner(spend), byRepository: spend },
  };
}

/**
 * Returns the status as lines for people. `isShared`: the queue is in PostgreSQL and has a list of its workers; a queue in a home
 * has at most one worker.
 */
export function fleetStatusLines(status: FleetStatus, { isShared }: { isShared: boolean }): string[] {
  const { month, waiting, running, oldestMs } = status;
  const workers = isShared ? `, ${status.workers} workers` : "";
  const oldest = waiting === 0 ? "" : `; the oldest has been due for ${formatDuration(oldestMs)}`;
  const spend = spendOf(status);
  const total = totalOf(spend);
  const lost = total.lost === 0 ? "" : `; ${total.lost} runs of dead workers, counted at their maximum cost`;
  return [
    `queue: ${waiting} wait, ${running} run${workers}${oldest}`,
    `spent in ${month}: ${total.usd.toFixed(2)} USD, ${total.tokens} tokens, ${total.runs} Triage Runs${lost}`,
    ...byOwner(spend).map(({ owner, usd, tokens }) => `  ${owner}  ${usd.toFixed(2)} USD  ${tokens} tokens`),
    ...spend.map(
      ({ repository, usd, tokens, runs }) =>
        `    ${repository}  ${usd.toFixed(2)} USD  ${tokens} tokens  ${runs} runs`,
    ),
  ];
}

/** Returns the repositories that have spent something, the most expensive first. */
function spendOf({ repositories }: FleetStatus): RepositorySpend[] {
  return repositories
    .filter(({ runs }) => runs > 0)
    .map(({ repositoryId, repository, owner, runs, lost, usd, tokens }) => {
      return { repositoryId, repository, owner, runs, lost, usd, tokens };
    })
    .toSorted((one, other) => other.usd - one.usd || other.tokens - one.tokens);
}

type Totals = Pick<RepositorySpend, "usd" | "tokens" | "runs" | "lost">;

/**
 * Returns the sums. The fleet has the same function; importing it would load the PostgreSQL client into every command that prints a
 * status.
 */
function totalOf(spend: readonly Totals[]): Totals {
  const sum = (of: (one: Totals) => number): number => spend.reduce((total, one) => total + of(one), 0);
  return {
    usd: sum(({ usd }) => usd),
    tokens: sum(({ tokens }) => tokens),
    runs: sum(({ runs }) => runs),
    lost: sum(({ lost }) => lost),
  };
}

function byOwner(spend: readonly RepositorySpend[]): (Totals & { owner: string })[] {
  const owners = [...new Set(spend.map(({ owner }) => owner))];
  return owners.map((owner) => {
    const { usd, tokens, runs, lost } = totalOf(spend.filter((one) => one.owner === owner));
    return { owner, usd, tokens, runs, lost };
  });
}
