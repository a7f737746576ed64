export { type Git, gitIn, type GitPorts, type StartGit } from "./git-command.ts";
export * from "./read-repository.ts";
export * from "./write-repository.ts";
