import type { IssueCategory, TriageState } from "./outcome.ts";

/** The label that stands for each role in this repository; the config file may rename them. */
export type LabelNames = Readonly<Record<TriageState | IssueCategory, string>>;

export const defaultLabelNames: LabelNames = {
  bug: "bug",
  enhancement: "enhancement",
  "needs-triage": "needs-triage",
  "needs-info": "needs-info",
  "ready-for-agent": "ready-for-agent",
  "ready-for-human": "ready-for-human",
  wontfix: "wontfix",
};
