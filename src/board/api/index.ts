export * from "./batch-documents.ts";
export * from "./board-run-id.ts";
export * from "./change-events.ts";
export type { ReportIndex, ReportRun } from "./report-documents.ts";
export * from "./run-documents.ts";
export * from "./state-documents.ts";
export * from "./duplicates-document.ts";
export * from "./statistics-document.ts";
export * from "./terminal-documents.ts";
