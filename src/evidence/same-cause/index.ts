export type {
  CauseChange,
  CauseTie,
  ChangeSides,
  SameCause,
  SameCauseFacts,
  SharedCommit,
} from "./cause-facts.ts";
export { describeSameCause, type ProvenCause } from "./describe-same-cause.ts";
export { type CauseSubject, sameCauseInPlace, type SameCauseRequest } from "./same-cause-in-place.ts";
