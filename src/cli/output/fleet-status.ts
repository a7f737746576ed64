import type { QueueState, RepositorySpend } from "../../fleet/index.ts";
import { formatDuration } from "./format-duration.ts";

export interface FleetStatus {
  queue: QueueState;
  /** `2026-11` */
  month: string;
  spend: readonly RepositorySpend[];
}

/** The document of `fleet --status`. */
export function fleetStatusDocument({ queue, month, spend }: FleetStatus) {
  return {
    schema: "afk-triage/fleet-status@1",
    queue,
    spend: { month, ...totalOf(spend), byOwner: byOwner(spend), byRepository: spend },
  };
}

/** The same for people. */
export function fleetStatusLines({ queue, month, spend }: FleetStatus): string[] {
  const total = totalOf(spend);
  const lost = total.lost === 0 ? "" : `; what ${total.lost} runs of dead workers cost is not known`;
  return [
    `queue: ${queue.waiting} wait, ${queue.running} run, ${queue.workers} workers; the oldest is due for ${formatDuration(queue.oldestMs)}`,
    `spent in ${month}: ${total.usd.toFixed(2)} USD, ${total.tokens} tokens, ${total.runs} Triage Runs${lost}`,
    ...byOwner(spend).map(({ owner, usd, tokens }) => `  ${owner}  ${usd.toFixed(2)} USD  ${tokens} tokens`),
    ...spend.map(
      ({ repository, usd, tokens, runs }) =>
        `    ${repository}  ${usd.toFixed(2)} USD  ${tokens} tokens  ${runs} runs`,
    ),
  ];
}

type Totals = Pick<RepositorySpend, "usd" | "tokens" | "runs" | "lost">;

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
