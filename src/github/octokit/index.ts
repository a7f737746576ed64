export { createOctokitGithub, githubActionsViewer, type OctokitGithubOptions } from "./octokit-github.ts";
