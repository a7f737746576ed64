import { rm } from "node:fs/promises";
import { releaseError, refused } from "../release-error.ts";
import { type Git, gitFailed } from "./git-command.ts";

/** A hook of the person's would run in a checkout that has none of its tools. */
const WITHOUT_HOOKS = ["-c", "core.hooksPath=/dev/null"];

/** A temporary checkout of a commit, on no branch; disposing removes it. */
export async function addWorktree(git: Git, path: string, commit: string): Promise<Git & AsyncDisposable> {
  await git.text([...WITHOUT_HOOKS, "worktree", "add", "--quiet", "--detach", path, commit]);
  const there = git.at(path);
  return { ...there, [Symbol.asyncDispose]: () => removeWorktree(git.unstoppable(), path) };
}

/** Removes a worktree's directory and git's record of it; a missing one is no error. */
export async function removeWorktree(git: Git, path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 3 });
  await git.ask(["worktree", "prune"]);
}

/** The tree of HEAD with these files as they are on disk. */
export async function stagedTree(worktree: Git, paths: readonly string[]): Promise<string> {
  await worktree.text(["add", "--", ...paths]);
  return worktree.text(["write-tree"]);
}

/** Commits what is staged; signed where git is configured so. */
export async function commitStaged(worktree: Git, message: string): Promise<string> {
  await worktree.text([...WITHOUT_HOOKS, "commit", "--quiet", "--no-verify", "--file=-"], message);
  return worktree.text(["rev-parse", "HEAD"]);
}

/** `expected`: where the branch is now; null: it must not be there. */
export async function setBranch(
  git: Git,
  branch: string,
  to: string,
  expected: string | null,
): Promise<void> {
  await git.text(["update-ref", "-m", "release prep", `refs/heads/${branch}`, to, expected ?? ZERO]);
}

const ZERO = "0".repeat(40);

/** An annotated tag, or a signed one. The message is kept as it is, headings too. */
export async function createTag(
  git: Git,
  tag: { name: string; commit: string; message: string; sign: boolean },
): Promise<void> {
  const kind = tag.sign ? "--sign" : "--annotate";
  await git.text(["tag", kind, "--cleanup=whitespace", "--file=-", tag.name, tag.commit], tag.message);
}

/**
 * Pushes one ref, and only if the remote's is still at `expected` (null: not there). Rejects with RELEASE_PUSH_REFUSED.
 */
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
