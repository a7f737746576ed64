export { type FiledIssue, generateBacklog, type Product, readEvidence } from "./backlog.ts";
export { playBacklog, type PlayReport } from "./play.ts";
export { type Score, scoreSweep } from "./score.ts";
