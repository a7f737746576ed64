import { type Git, gitIn, type LockOwner, repositoryRoot } from "../../release/index.ts";
import { parentIdentity, parentState } from "../../workspaces/index.ts";

/** The repository that the current directory is in, from its root. */
export async function currentRepository(signal: AbortSignal): Promise<Git> {
  const git = gitIn(process.cwd(), { env: process.env, signal });
  return git.at(await repositoryRoot(git));
}

/** This process as the holder of a lock; only a proven death frees one. */
export async function lockOwner(): Promise<LockOwner> {
  return {
    identity: await parentIdentity(),
    isGone: async (identity) => (await parentState(identity)) === "dead",
  };
}
