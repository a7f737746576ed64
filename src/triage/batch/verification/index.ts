export { holdPlace, type PlaceRequest } from "./hold-place.ts";
export { observeReproduction } from "./observe-reproduction.ts";
export { type Claimed, runVerification } from "./run-verification.ts";
export { verifyStored, type VerifiedIssue, type VerifyContext } from "./verify-stored.ts";
