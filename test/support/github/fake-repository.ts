import type { Repository, RepositoryName } from "../../../src/github/index.ts";

/** Returns an ordinary public repository. */
export function fakeRepository(name: RepositoryName): Repository {
  return {
    id: 1,
    name,
    cloneUrl: `https://github.test/${name}.git`,
    defaultBranch: "main",
    isPrivate: false,
    isArchived: false,
    hasIssues: true,
    canTriage: true,
  };
}
