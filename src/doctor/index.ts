export * from "./doctor-check.ts";
export type { FleetFacts, FleetProbes } from "./fleet/index.ts";
export { examine } from "./examine.ts";
export { lastVersion } from "./last-version.ts";
export type { DoctorFacts, DoctorProbes, DoctorSettings } from "./probes.ts";
export { tryTriageAgent } from "./try-triage-agent.ts";
