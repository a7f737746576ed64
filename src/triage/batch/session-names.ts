import { issueKey, type IssueRef } from "../../github/index.ts";

/** By which the Session of the Triage Agent is told among those of a home. */
export function triageSessionName(ref: IssueRef): string {
  return `triage ${issueKey(ref)}`;
}

/** By which the Session of the parent's own runs is told among those of a home. */
export function verificationSessionName(ref: IssueRef): string {
  return `verify ${issueKey(ref)}`;
}
