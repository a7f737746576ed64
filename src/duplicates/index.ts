export { type IssueIndex, openIssueIndex } from "./issue-index.ts";
export type { IssueText } from "./issue-terms.ts";
export type { Ranked } from "./rank-candidates.ts";
