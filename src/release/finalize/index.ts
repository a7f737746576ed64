export {
  type FinalizeOptions,
  type FinalizePorts,
  finalizeRelease,
  type FinalizeStep,
  type FinalizeSummary,
} from "./finalize-release.ts";
