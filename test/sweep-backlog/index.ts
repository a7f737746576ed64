export { type FiledIssue, generateBacklog, type Product, readEvidence } from "./backlog.ts";
export { playInBatches } from "./play-in-batches.ts";
export { openProductStore } from "./product-store.ts";
export { type Score, scoreSweep } from "./score.ts";
