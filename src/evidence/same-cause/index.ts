export type {
  CauseChange,
  CauseTie,
  ChangeSides,
  SameCause,
  SameCauseFacts,
  SharedCommit,
} from "./cause-facts.ts";
export { decideSameCause } from "./decide-same-cause.ts";
