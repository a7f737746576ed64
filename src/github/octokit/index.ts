export type { ResponseStore } from "./conditional-fetch.ts";
export { openResponseFiles } from "./response-files.ts";
export type { GithubCredential } from "./sign-in.ts";
export {
  createOctokitGithub,
  createOctokitSetup,
  githubActionsViewer,
  type OctokitGithubOptions,
} from "./octokit-github.ts";
