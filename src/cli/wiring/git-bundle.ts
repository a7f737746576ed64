import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { OperationalError } from "agent-tty/kit";
import { execa } from "execa";
import { type Repository, type RepositoryName, redactSecrets } from "../../github/index.ts";
import type { TriageErrorCode } from "../../triage/index.ts";

/** The size above which the Coder workspace clones by itself, because the whole history passes through the parent's memory. */
const BUNDLE_MAX_BYTES = 256 * 1024 * 1024;
const GIT_TIMEOUT_MS = 10 * 60_000;

/**
 * Returns the function that makes a bundle (checkout.strategy `bundle`): the parent fetches with its own GitHub access and passes
 * one file to the Coder workspace. The credential is in git's environment for that host only, never in argv and never in the
 * bundle.
 */
export function gitBundler(gitToken: (repo: RepositoryName, signal: AbortSignal) => Promise<string>) {
  return async (repository: Repository, url: string, signal: AbortSignal): Promise<Uint8Array> => {
    const directory = await mkdtemp(join(tmpdir(), "afk-triage-bundle-"));
    const token = isOwnHost(repository, url) ? await gitToken(repository.name, signal) : null;
    const git = execa({
      cwd: directory,
      env: {
        PATH: process.env["PATH"],
        HOME: directory,
        GIT_TERMINAL_PROMPT: "0",
        ...(token === null ? {} : access(url, token)),
      },
      extendEnv: false,
      timeout: GIT_TIMEOUT_MS,
      cancelSignal: signal,
      stdin: "ignore",
    });
    try {
      await git`git clone --quiet --mirror ${url} mirror.git`;
      await git`git -C mirror.git bundle create --quiet ../repository.bundle --all`;
      const { size } = await stat(join(directory, "repository.bundle"));
      if (size > BUNDLE_MAX_BYTES)
        throw new Error(`the bundle has ${size} bytes, but at most ${BUNDLE_MAX_BYTES} are allowed`);
      return await readFile(join(directory, "repository.bundle"));
    } catch (error) {
      signal.throwIfAborted();
      throw new OperationalError<TriageErrorCode>({
        code: "CHECKOUT_BUNDLE_FAILED",
        message: `make a git bundle of ${url}: ${redactSecrets(error instanceof Error ? error.message : String(error))}`,
        remedy:
          "Check checkout.url and that GITHUB_TOKEN may read the contents, or use checkout.strategy: clone.",
      });
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  };
}

/**
 * Returns whether a URL is on the repository's own host. Only that host gets the token, even if checkout.url names another host.
 */
function isOwnHost(repository: Repository, url: string): boolean {
  const own = originOf(repository.cloneUrl);
  return own !== null && own.startsWith("https:") && originOf(url) === own;
}

function access(url: string, token: string): Record<string, string> {
  const basic = Buffer.from(`x-access-token:${token}`).toString("base64");
  return {
    GIT_CONFIG_COUNT: "1",
    GIT_CONFIG_KEY_0: `http.${originOf(url)}/.extraheader`,
    GIT_CONFIG_VALUE_0: `Authorization: Basic ${basic}`,
  };
}

function originOf(url: string): string | null {
  return URL.canParse(url) ? new URL(url).origin : null;
}
