export * from "./render-comment.ts";
export { ForeignText, type TextBudget } from "./foreign-text.ts";
export { type EvidenceLocation, type KeptFile, renderKeptFile } from "./kept-file.ts";
export { withoutDirectory } from "./without-directory.ts";
