export { type Fingerprints, fingerprintsOf } from "./fingerprints.ts";
export { plainBody } from "./plain-body.ts";
export { titleGrams } from "./title-grams.ts";
export { countWords, spelledWords, wordsOf } from "./words.ts";
