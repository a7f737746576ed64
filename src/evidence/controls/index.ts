export { adapterPrograms, hasLoaded, isUnlayered, type LanguageAdapters } from "./adapter-programs.ts";
export { type HeardOfProduct, type NamedAnswer, namedAnswers } from "./named-answers.ts";
export { otherDays } from "./other-days.ts";
export { type CheckoutFacts, type Product, productOf } from "./product-files.ts";
