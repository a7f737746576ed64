import { issueKey, type IssueRef } from "../../github/index.ts";

/** Returns the name by which the Session of the Triage Agent is found among those of a home. */
export function triageSessionName(ref: IssueRef): string {
  return `triage ${issueKey(ref)}`;
}

/** Returns the name by which the Session of the parent's own runs is found among those of a home. */
export function verificationSessionName(ref: IssueRef): string {
  return `verify ${issueKey(ref)}`;
}
