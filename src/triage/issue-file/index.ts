export * from "./build-issue-file.ts";
