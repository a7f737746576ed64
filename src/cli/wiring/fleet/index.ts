export { connectionsOfWorker, fleetBudget, type FleetDatabase, openFleetDatabase } from "./wire-fleet.ts";
export { openFleetRuns } from "./wire-fleet-runs.ts";
