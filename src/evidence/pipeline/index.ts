export {
  chooseWayApart,
  hasOwnFiles,
  HOME_OF_RUNS,
  HOME_OF_USER,
  keepWayApart,
  WAYS_APART,
} from "./apart.ts";
export { cutCommand, endOfCut, WITHOUT_PYTHON_CACHE } from "./cut-command.ts";
export { planDesks } from "./plan-desks.ts";
export { isOutOfTime, type VerificationErrorCode } from "./time-for-runs.ts";
export { DIVIDE, DIVIDER, PRISTINE, scriptVariable } from "./turn.ts";
export { type ClaimVerification, type VerificationRequest, verifyClaim } from "./verify-claim.ts";
