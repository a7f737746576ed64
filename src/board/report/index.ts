export { reportNames, type ReportOptions, writeReport, type WrittenReport } from "./write-report.ts";
