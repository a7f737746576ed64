import { type Git, hasCommit, isAncestor, readCommit, type RemoteFacts } from "../git/index.ts";

/** The commit that a release branch is at. */
export interface BranchCommit {
  commit: string;
  parents: readonly string[];
  tree: string;
  /** Whether prep made it, and no person has changed it since. */
  isOurs: boolean;
}

const TRAILER = "Prepared-tree";

/**
 * Returns the message of prep's commit. It contains the hash of the commit's own tree, so that a prep with another home recognises
 * the commit as unchanged.
 */
export function preparedMessage(message: string, tree: string): string {
  return `${message}\n${TRAILER}: ${tree}\n`;
}

/**
 * Returns the commit of a release branch. It is ours if it is in `recorded`, the commits that the home remembers, or if its message
 * contains the hash of its own tree and its only parent is `base` or an ancestor of `base`.
 */
export async function readBranchCommit(
  git: Git,
  commit: string,
  base: string,
  recorded: ReadonlySet<string>,
): Promise<BranchCommit> {
  const { parents, tree, message } = await readCommit(git, commit);
  const [parent, ...others] = parents;
  const isUnchanged = message.split("\n").includes(`${TRAILER}: ${tree}`);
  const isOurs =
    recorded.has(commit) ||
    (isUnchanged && parent !== undefined && others.length === 0 && (await isAncestor(git, parent, base)));
  return { commit, parents, tree, isOurs };
}

/** Fetches the commit of a branch of the remote, without a ref. Rejects with RELEASE_GIT_FAILED. */
export async function fetchCommit(
  git: Git,
  remote: RemoteFacts,
  branch: string,
  commit: string,
): Promise<void> {
  if (await hasCommit(git, commit)) return;
  await git.text(["fetch", "--quiet", "--no-tags", remote.name, `refs/heads/${branch}`]);
}
