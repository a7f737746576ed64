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

/** Equal for names that GitHub takes for one label. ASCII only, so that no look-alike letter (such as K, Kelvin) folds into a role. */
export function foldLabel(label: string): string {
  return label.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}
