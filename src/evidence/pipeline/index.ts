export { planDesks } from "./plan-desks.ts";
export { type ClaimVerification, type VerificationRequest, verifyClaim } from "./verify-claim.ts";
