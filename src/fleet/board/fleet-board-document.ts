import { totalSpend } from "../spend/index.ts";
import type { ScopedStatus } from "../status/index.ts";

/** The document of `GET /api/fleet`: what the page of the fleet's board shows. */
export function fleetBoardDocument({ repositories, ...status }: ScopedStatus) {
  return {
    schema: "afk-triage/fleet-board@1",
    ...status,
    spend: totalSpend(repositories),
    repositories,
  };
}

export type FleetBoardDocument = ReturnType<typeof fleetBoardDocument>;
