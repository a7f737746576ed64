import type { CheckoutFacts, RemoteFacts } from "./git/index.ts";
import { type Refusal, refused } from "./release-error.ts";

/** Returns the reason why nothing can be released from this checkout; null if it is on the remote's default branch, and clean. */
export function checkoutRefusal(checkout: CheckoutFacts, remote: RemoteFacts): Refusal | null {
  const { branch, commit, changedPaths, isShallow } = checkout;
  const { defaultBranch } = remote;
  if (branch === null)
    return refused(
      "RELEASE_HEAD_DETACHED",
      `release from ${commit.slice(0, 8)}: HEAD is on no branch`,
      `git switch ${defaultBranch}`,
    );
  if (branch !== defaultBranch)
    return refused(
      "RELEASE_NOT_ON_DEFAULT_BRANCH",
      `release from ${branch}: the default branch of ${remote.name} is ${defaultBranch}`,
      `git switch ${defaultBranch}`,
    );
  if (changedPaths.length > 0)
    return refused(
      "RELEASE_TREE_DIRTY",
      `release from ${branch}: ${changedPaths.length === 1 ? "1 file is" : `${changedPaths.length} files are`} changed or untracked: ${changedPaths.slice(0, 5).join(", ")}`,
      "Commit, stash or remove them: a release holds committed work only.",
    );
  if (isShallow)
    return refused(
      "RELEASE_SHALLOW_CLONE",
      `release from ${branch}: the clone is shallow, its history is cut`,
      "git fetch --unshallow (on GitHub Actions: fetch-depth: 0)",
    );
  if (commit !== remote.commit)
    return refused(
      "RELEASE_OUT_OF_STEP",
      `release from ${branch}: it is at ${commit.slice(0, 8)}, on ${remote.name} at ${remote.commit.slice(0, 8)}`,
      `git pull --ff-only ${remote.name} ${branch}; what is committed here only must be merged there first.`,
    );
  return null;
}
