import { bugReports } from "./bug-reports.ts";
import { conversations } from "./conversations.ts";
import type { DemoIssue } from "./demo-issue.ts";
import { enhancementRequests } from "./enhancement-requests.ts";
import { hostileReport } from "./hostile-report.ts";

export type { DemoIssue, DemoVerdict } from "./demo-issue.ts";

/** The issues in the order in which they were reported: the first one becomes #1. */
export const demoIssues: readonly DemoIssue[] = [
  ...bugReports,
  ...enhancementRequests,
  ...conversations,
  hostileReport,
];
