import type { IssueCategory, TriageState } from "./outcome.ts";

/** The label of each role in this repository; the config file may rename them. */
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

/**
 * Returns the same string for all names that GitHub treats as one label. Only ASCII letters are folded, so that no look-alike
 * letter (such as K, Kelvin) turns a label into a role.
 */
export function foldLabel(label: string): string {
  return label.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}
