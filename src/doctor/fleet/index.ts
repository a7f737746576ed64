export { examineFleet } from "./examine-fleet.ts";
export type { FleetDatabaseFacts, FleetFacts, FleetProbes } from "./fleet-probes.ts";
