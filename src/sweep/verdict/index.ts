export { decideVerdict } from "./decide-verdict.ts";
export { messageKey, type Verdict, verdictSchema, type VerdictType } from "./verdict.ts";
