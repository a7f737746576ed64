export { type ClaimVerification, type VerificationRequest, verifyClaim } from "./verify-claim.ts";
