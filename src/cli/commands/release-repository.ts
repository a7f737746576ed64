import { type Git, gitIn, repositoryRoot } from "../../release/index.ts";

/** The options that `prep`, `finalize` and `notes` share. */
export interface ReleaseOptions {
  remote: string;
  home?: string;
}

/** The repository that the current directory is in, from its root. */
export async function currentRepository(signal: AbortSignal): Promise<Git> {
  const git = gitIn(process.cwd(), { env: process.env, signal });
  return git.at(await repositoryRoot(git));
}
