export { adapterPrograms, isUnlayered, type LanguageAdapters } from "./adapter-programs.ts";
export {
  callWithNothing,
  type CallWithNothing,
  type HeardOfProduct,
  heardOfProduct,
  isGivenFunctions,
} from "./heard-of-product.ts";
export type { LayerRequest } from "./layer-request.ts";
export type { NamedAnswer } from "./named-answer.ts";
export { namedAnswers } from "./named-answers.ts";
export { otherDays } from "./other-days.ts";
export { type CheckoutFacts, type Product, productOf } from "./product-files.ts";
