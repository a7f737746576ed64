export { doctorFacts, type DoctorRequest, openProbes } from "./doctor-probes.ts";
