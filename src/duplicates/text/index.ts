export { type Fingerprints, fingerprintsOf } from "./fingerprints.ts";
export { plainBody } from "./plain-body.ts";
export { titleGrams } from "./title-grams.ts";
export { countWords, wordsOf } from "./words.ts";
