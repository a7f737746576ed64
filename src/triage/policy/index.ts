export type * from "./comment-content.ts";
export * from "./decide.ts";
export type { DuplicateFinding } from "./duplicate-finding.ts";
export type * from "./decision.ts";
export * from "./label-roles.ts";
export {
  looksLikeSecurityReport,
  mayReportVulnerability,
  proposesSecurityReport,
  showsSecurityReport,
  writesSecurityReport,
} from "./security-report.ts";
