import { type Git, hasCommit, isAncestor, readCommit, type RemoteFacts } from "../git/index.ts";

/** The commit that a release branch is at. */
export interface BranchCommit {
  commit: string;
  parents: readonly string[];
  tree: string;
  /** Prep made it, and nobody has changed it since. */
  isOurs: boolean;
}

const TRAILER = "Prepared-tree";

/** The message of prep's commit names the commit's own content, so that a prep with another home knows it as unchanged. */
export function preparedMessage(message: string, tree: string): string {
  return `${message}\n${TRAILER}: ${tree}\n`;
}

/**
 * `recorded`: the commits that the home remembers. Ours is also one that names its own content, and stands on `base` or below it.
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

/** Brings the commit of a branch of the remote here, without a ref. Rejects with RELEASE_GIT_FAILED. */
export async function fetchCommit(
  git: Git,
  remote: RemoteFacts,
  branch: string,
  commit: string,
): Promise<void> {
  if (await hasCommit(git, commit)) return;
  await git.text(["fetch", "--quiet", "--no-tags", remote.name, `refs/heads/${branch}`]);
}
