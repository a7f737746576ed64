export { reportHtml } from "./report-html.ts";
export { type SweepReport, sweepReport } from "./sweep-report.ts";
export { SWEEP_REPORT_FILES, writeSweepReport } from "./write-report.ts";
