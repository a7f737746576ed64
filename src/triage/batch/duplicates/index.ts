export { feedIndexes } from "./feed-indexes.ts";
export { offerDuplicates } from "./offer-duplicates.ts";
export { proveDuplicates } from "./prove-duplicates.ts";
export { recordDuplicate } from "./record-duplicates.ts";
