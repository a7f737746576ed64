export * from "./render-comment.ts";
export type { EvidenceLocation, KeptFile } from "./kept-file.ts";
export { withoutDirectory } from "./without-directory.ts";
