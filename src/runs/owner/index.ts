export type { ActiveRunGuidance } from "./guidance.ts";
export type { Observer, ObserverMode, ObserverSlot, RunUpdate } from "./observers.ts";
export { type AdmissionResult, type OwnerPorts, RunOwner, type StopReason } from "./run-owner.ts";
export { type OpenResult, RunService } from "./run-service.ts";
export { deriveSurface, type RunView, type Surface, surfaces } from "./run-view.ts";
export {
  /** @tools Used by scripts/conformance. */ probeRunner,
  type Runner,
  type RunnerProbes,
} from "./runner.ts";
