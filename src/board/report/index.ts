export { type ReportOptions, writeReport, type WrittenReport } from "./write-report.ts";
