export { isAgreed, isFalseClose, type OurOutcome, ourOutcome, ourOutcomes } from "./agreement.ts";
export {
  type MaintainerOutcome,
  maintainerOutcomes,
  type MaintainerVerdict,
  maintainerVerdict,
} from "./maintainer-outcome.ts";
