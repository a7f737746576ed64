import { type Git, gitIn, repositoryRoot } from "../../release/index.ts";

/** The options that `prep`, `finalize` and `notes` share. */
export interface ReleaseOptions {
  remote: string;
  home?: string;
}

/** Returns the git repository of the current directory, at its root. */
export async function currentRepository(signal: AbortSignal): Promise<Git> {
  const git = gitIn(process.cwd(), { env: process.env, signal });
  return git.at(await repositoryRoot(git));
}
