export * from "./doctor-check.ts";
export { examine } from "./examine.ts";
export type { DoctorFacts, DoctorProbes, DoctorSettings } from "./probes.ts";
export { doctorFacts, type DoctorRequest, openProbes } from "./real-probes.ts";
