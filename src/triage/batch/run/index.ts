export { triageFiles } from "./control-files.ts";
export { refreshPullRequests } from "./refresh-pull-requests.ts";
export { triageIssue } from "./triage-issue.ts";
export { type Examined, examineByTriageAgent, takeInHand, verifyInPlace, workOut } from "./work-out.ts";
