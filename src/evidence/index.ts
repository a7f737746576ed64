export { type Claim, scriptHash, isFreeOfBug, showsClaim } from "./claim.ts";
export type {
  ControlOutcome,
  Grade,
  PlaceKind,
  Range,
  RangeEnd,
  RegressionTestGrade,
  VersionOfProduct,
} from "./grade.ts";
export {
  type EvidenceSummary,
  evidenceMarker,
  evidenceSummary,
  gradeLine,
  withFindings,
} from "./grading/index.ts";
export type { Patience, Place } from "./place.ts";
export type { Probe, ProbeResult } from "./probe.ts";
export {
  CONTROL_KINDS,
  type ControlKind,
  MAX_OUTPUT_CHARACTERS,
  type RunEnd,
  type RunKind,
  type RunRecord,
  type TreeChange,
} from "./run-record.ts";
export { type EnvironmentCause, isEvidence, type Verdict, type VerdictType } from "./verdict.ts";
export {
  type AlreadyFixed,
  alreadyFixed,
  type ProbeState,
  type RangeHistory,
  deepenCommand,
  describeRange,
  type RangePorts,
  type RangeRegistry,
  type RangeRequest,
  rangeInPlace,
  searchRange,
} from "./range/index.ts";
export {
  decideEvidence,
  failureLines,
  type EvidenceFacts,
  isMatch,
  needsControls,
  settle,
  type Settlement,
} from "./decide/index.ts";
export { namedAnswers, type Product, productOf } from "./controls/index.ts";
export {
  type ClaimVerification,
  isOutOfTime,
  planDesks,
  type VerificationErrorCode,
  type VerificationRequest,
  PRISTINE,
  verifyClaim,
} from "./pipeline/index.ts";
export type { LanguageAdapters } from "./controls/index.ts";
export { type Observation, observeScript } from "./observe/index.ts";
export { type PlannedTest, proveTest, type RegressionTest } from "./regression-test/index.ts";
export {
  type CauseChange,
  type CauseSubject,
  type CauseTie,
  describeSameCause,
  type ProvenCause,
  type SameCause,
  type SameCauseFacts,
  sameCauseInPlace,
  type SameCauseRequest,
} from "./same-cause/index.ts";
