export { decideVerdict } from "./decide-verdict.ts";
export { keyWithoutDetail, messageKey, type Verdict, verdictSchema, type VerdictType } from "./verdict.ts";
