export { type Git, gitIn, type GitPorts } from "./git-command.ts";
export * from "./read-repository.ts";
export * from "./write-repository.ts";
