export { collectGarbage, type GcOptions, type GcResult } from "./collect-garbage.ts";
export { type DoctorCheck, type DoctorPorts, examineInstallation, freeBytes } from "./doctor.ts";
export type { KeptReason, RemovedReason } from "./gc-plan.ts";
