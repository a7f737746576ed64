import { cp, mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { messageOf, OperationalError } from "agent-tty/kit";
import { execa } from "execa";
import type { DemoErrorCode } from "./demo-error.ts";
import { type ProductCommit, productHistory } from "./history.ts";

export interface ProductRepository {
  /** A `file:` URL of the repository, for `git clone`. */
  cloneUrl: string;
  /** The commit id, which is the same on every machine. */
  head: string;
}

/**
 * Generates the demo's product, a git repository with real bugs, in `directory`, which must not exist yet.
 * `template` is the directory `templates/demo-product`. Rejects with DEMO_PRODUCT_FAILED, or the signal's reason.
 */
export async function createProductRepository(
  request: { template: string; directory: string },
  signal: AbortSignal,
): Promise<ProductRepository> {
  const { template, directory } = request;
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    // No template directory is set, because the machine's hooks must not run here.
    await git(
      directory,
      ["init", "-q", "--initial-branch=main", "--object-format=sha1", "--template="],
      signal,
    );
    for (const commit of productHistory) await addCommit(template, directory, commit, signal);
    const head = await git(directory, ["rev-parse", "HEAD"], signal);
    return { cloneUrl: pathToFileURL(directory).href, head };
  } catch (error) {
    signal.throwIfAborted();
    throw new OperationalError<DemoErrorCode>({
      code: "DEMO_PRODUCT_FAILED",
      message: `generating the demo's git repository in ${directory} failed: ${messageOf(error)}`,
      remedy: "Check that git 2.28 or later is installed and that the directory can be written.",
      cause: error,
    });
  }
}

async function addCommit(
  template: string,
  directory: string,
  commit: ProductCommit,
  signal: AbortSignal,
): Promise<void> {
  for (const path of commit.paths) {
    const target = join(directory, path);
    await mkdir(dirname(target), { recursive: true });
    await cp(join(template, path), target);
  }
  await git(directory, ["add", "--force", "--", ...commit.paths], signal);
  await git(directory, ["commit", "-q", "--no-gpg-sign", "-m", commit.message], signal, {
    GIT_AUTHOR_NAME: commit.author,
    GIT_AUTHOR_EMAIL: commit.email,
    GIT_AUTHOR_DATE: commit.date,
    GIT_COMMITTER_NAME: commit.author,
    GIT_COMMITTER_EMAIL: commit.email,
    GIT_COMMITTER_DATE: commit.date,
  });
}

/** Runs git without the configuration of the machine and of the user, because either could change the hashes. */
async function git(
  directory: string,
  args: readonly string[],
  signal: AbortSignal,
  identity: Record<string, string> = {},
): Promise<string> {
  const result = await execa("git", ["-c", "core.autocrlf=false", ...args], {
    cwd: directory,
    extendEnv: false,
    env: {
      PATH: process.env["PATH"],
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_CONFIG_NOSYSTEM: "1",
      LC_ALL: "C",
      ...identity,
    },
    stdin: "ignore",
    timeout: 30_000,
    cancelSignal: signal,
  });
  return result.stdout;
}
