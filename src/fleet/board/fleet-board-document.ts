import type { RepositoryStatus, ScopedStatus } from "../status/index.ts";

/** The document of `GET /api/fleet`: what the page of the fleet's board shows. */
export function fleetBoardDocument({ repositories, ...status }: ScopedStatus) {
  const sum = (of: (row: RepositoryStatus) => number): number =>
    repositories.reduce((total, row) => total + of(row), 0);
  return {
    schema: "afk-triage/fleet-board@1",
    ...status,
    spend: {
      usd: sum(({ usd }) => usd),
      tokens: sum(({ tokens }) => tokens),
      runs: sum(({ runs }) => runs),
      lost: sum(({ lost }) => lost),
    },
    repositories,
  };
}

export type FleetBoardDocument = ReturnType<typeof fleetBoardDocument>;
