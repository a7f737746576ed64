export { drawSample } from "./draw-sample.ts";
export { issueAsOf, type PastIssue } from "./issue-as-of.ts";
export { type OwnAccounts, withoutOwnActs } from "./own-acts.ts";
export { createPastGithub } from "./past-github.ts";
export { openPastRepository, type PastRepository } from "./past-repository.ts";
