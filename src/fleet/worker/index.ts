export { awaitRepository } from "./await-repository.ts";
export * from "./follow.ts";
export { type FleetWorker, runFleetWorker } from "./run-fleet.ts";
export type { Repeated } from "./run-loops.ts";
export { reapRepository } from "./reap-repository.ts";
