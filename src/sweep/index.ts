export { announcedClose } from "./due/index.ts";
export { estimateSweep, type SweepEstimate } from "./plan/index.ts";
export type { PlannedIssue, Road } from "./plan/index.ts";
export { parseQuery, type Query } from "./query/index.ts";
export { reportHtml, SWEEP_REPORT_FILES, sweepReport, writeSweepReport } from "./report/index.ts";
export type { SweepSettings } from "./settings.ts";
export { openSweptLibrary, type SweptIssue, type SweptLibrary } from "./swept/index.ts";
export type { Verdict, VerdictType } from "./verdict/index.ts";
export { createSweepWork, type SweepWork } from "./work/index.ts";
