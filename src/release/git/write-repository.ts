import { rm } from "node:fs/promises";
import { releaseError, refused } from "../release-error.ts";
import { type Git, gitFailed } from "./git-command.ts";

/** Disables the user's hooks, which would run in a checkout that has none of their tools. */
const WITHOUT_HOOKS = ["-c", "core.hooksPath=/dev/null"];

/** Adds a temporary checkout of a commit, on no branch. Disposing removes it. */
export async function addWorktree(git: Git, path: string, commit: string): Promise<Git & AsyncDisposable> {
  await git.text([...WITHOUT_HOOKS, "worktree", "add", "--quiet", "--detach", path, commit]);
  const there = git.at(path);
  return { ...there, [Symbol.asyncDispose]: () => removeWorktree(git.unstoppable(), path) };
}

/** Removes a worktree's directory and git's record of it. A missing worktree is not an error. */
export async function removeWorktree(git: Git, path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 3 });
  await git.ask(["worktree", "prune"]);
}

/** Returns the tree of HEAD with the current contents of these files on disk. */
export async function stagedTree(worktree: Git, paths: readonly string[]): Promise<string> {
  await worktree.text(["add", "--", ...paths]);
  return worktree.text(["write-tree"]);
}

/** Commits the staged changes. The commit is signed if git is configured to sign. */
export async function commitStaged(worktree: Git, message: string): Promise<string> {
  await worktree.text([...WITHOUT_HOOKS, "commit", "--quiet", "--no-verify", "--file=-"], message);
  return worktree.text(["rev-parse", "HEAD"]);
}

/** Sets a branch to a commit. `expected`: the current commit of the branch; null: the branch must not exist. */
export async function setBranch(
  git: Git,
  branch: string,
  to: string,
  expected: string | null,
): Promise<void> {
  await git.text(["update-ref", "-m", "release prep", `refs/heads/${branch}`, to, expected ?? ZERO]);
}

const ZERO = "0".repeat(40);

/** Creates an annotated or a signed tag. The message is kept unchanged, including its headings. */
export async function createTag(
  git: Git,
  tag: { name: string; commit: string; message: string; sign: boolean },
): Promise<void> {
  const kind = tag.sign ? "--sign" : "--annotate";
  await git.text(["tag", kind, "--cleanup=whitespace", "--file=-", tag.name, tag.commit], tag.message);
}

/** Pushes one ref only if the remote's ref is still at `expected` (null: it does not exist). Rejects with RELEASE_PUSH_REFUSED. */
export async function pushRef(
  git: Git,
  remote: string,
  push: { from: string; to: string; expected: string | null },
): Promise<void> {
  const lease = `--force-with-lease=${push.to}:${push.expected ?? ""}`;
  const args = ["push", "--quiet", "--no-follow-tags", lease, remote, `${push.from}:${push.to}`];
  const answer = await git.ask(args);
  if (answer.exitCode === 0) return;
  const { message } = gitFailed(args, answer);
  throw releaseError(
    refused(
      "RELEASE_PUSH_REFUSED",
      message,
      "Check your access and the remote's rules, then run the same command again: it pushes what is prepared.",
    ),
  );
}
