export { feedIndexes } from "./feed-indexes.ts";
export { offerDuplicates } from "./offer-duplicates.ts";
export { recordDuplicate } from "./record-duplicates.ts";
