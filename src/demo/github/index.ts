export { DEMO_REPOSITORY, type DemoGithub, startDemoGithub } from "./demo-github.ts";
export type { IssueState, IssueStateComment } from "./final-state.ts";
