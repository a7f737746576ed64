export { type CommitType, type RawCommit, readCommits, type ReleaseCommit } from "./read-commits.ts";
