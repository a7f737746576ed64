export { failureSignature } from "./failure-signature.ts";
export {
  openReproductionLibrary,
  type ReproductionErrorCode,
  type ReproductionLibrary,
} from "./reproduction-library.ts";
export {
  isGraded,
  isMasked,
  type ReproductionCheck,
  type StoredReproduction,
  withCheck,
} from "./stored-reproduction.ts";
