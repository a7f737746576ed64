export type { SweptIssue } from "./swept-issue.ts";
export { openSweptLibrary, type SweptLibrary } from "./swept-library.ts";
export { textHash } from "./text-hash.ts";
