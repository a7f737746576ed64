import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Clock, type Ids, OperationalError } from "agent-tty/kit";
import { execa } from "execa";
import type { BacktestErrorCode } from "../backtest-error.ts";

/** The repository's current git history, from which checkouts of the past are created. */
export interface PastRepository {
  /** Returns the last commit that was on the default branch at `atMs` (epoch milliseconds); null: there was none. */
  commitBefore(atMs: number, signal: AbortSignal): Promise<string | null>;
  isKnown(commit: string, signal: AbortSignal): Promise<boolean>;
  /** Returns a git bundle of one commit and its ancestors, with the annotated tags that existed at `atMs`, and nothing else. */
  bundleAt(commit: string, atMs: number, signal: AbortSignal): Promise<Uint8Array>;
}

const GIT_TIMEOUT_MS = 10 * 60_000;

/**
 * Opens the repository's history. `directory` is private and kept: the mirror in it is created once. `fetch` returns a bundle of
 * the whole repository. Rejects with BACKTEST_REPOSITORY_UNREADABLE or BACKTEST_PAST_UNREADABLE.
 */
export async function openPastRepository(
  directory: string,
  defaultBranch: string,
  fetch: () => Promise<Uint8Array>,
  { ids, clock }: { ids: Ids; clock: Pick<Clock, "nowMs"> },
  signal: AbortSignal,
): Promise<PastRepository> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const mirror = join(directory, "mirror.git");
  const git = async (args: readonly string[], within: AbortSignal): Promise<string> => {
    const result = await execa("git", args, {
      cwd: directory,
      env: { PATH: process.env["PATH"], HOME: directory, GIT_TERMINAL_PROMPT: "0", GIT_CONFIG_NOSYSTEM: "1" },
      extendEnv: false,
      timeout: GIT_TIMEOUT_MS,
      cancelSignal: within,
      stdin: "ignore",
    }).catch((error: unknown) => {
      within.throwIfAborted();
      throw pastUnreadable(args, error);
    });
    return result.stdout.trim();
  };
  const isThere = await readFile(join(mirror, "HEAD"), "utf8").then(
    () => true,
    () => false,
  );
  if (!isThere) {
    const whole = join(directory, `whole-${ids.hex(4)}.bundle`);
    await writeFile(whole, await fetchWhole(fetch, signal), { mode: 0o600 });
    // A clone that was killed must not be taken for the mirror.
    const unfinished = join(directory, `mirror-${ids.hex(4)}`);
    await git(["clone", "--quiet", "--mirror", whole, unfinished], signal);
    await rename(unfinished, mirror);
    await rm(whole, { force: true });
  }
  const branch = `refs/heads/${defaultBranch}`;
  const at = (...args: string[]): string[] => ["-C", mirror, ...args];

  const tagsAt = async (commit: string, atMs: number, within: AbortSignal): Promise<string[]> => {
    // A lightweight tag has no date, so it may be newer than `atMs`. It is omitted.
    const format = "%(objecttype) %(taggerdate:unix) %(refname)";
    const listed = await git(
      at("for-each-ref", `--merged=${commit}`, `--format=${format}`, "refs/tags"),
      within,
    );
    return listed.split("\n").flatMap((line) => {
      const [type, seconds, ref] = line.split(" ");
      return type === "tag" && ref !== undefined && Number(seconds) * 1_000 <= atMs ? [ref] : [];
    });
  };

  let history: Promise<DatedCommit[]> | undefined;
  const readHistory = async (within: AbortSignal): Promise<DatedCommit[]> => {
    const listed = await git(at("log", "--first-parent", "--reverse", "--format=%H %ct", branch), within);
    return listed.split("\n").map((line) => {
      const [commit = "", seconds] = line.split(" ");
      return { commit, atMs: Number(seconds) * 1_000 };
    });
  };

  return {
    commitBefore: async (atMs, within) => {
      const commits = await (history ??= readHistory(within));
      return lastBefore(commits, atMs, clock.nowMs());
    },
    isKnown: (commit, within) =>
      git(at("cat-file", "-e", `${commit}^{commit}`), within).then(
        () => true,
        () => {
          within.throwIfAborted();
          return false;
        },
      ),
    bundleAt: async (commit, atMs, within) => {
      // The bundle is made from a separate repository: it cannot contain anything that is not in that repository.
      const cut = join(directory, `cut-${ids.hex(6)}`);
      try {
        await git(["init", "--quiet", "--bare", `--initial-branch=${defaultBranch}`, cut], within);
        const tags = await tagsAt(commit, atMs, within);
        const refs = [`${commit}:${branch}`, ...tags.map((tag) => `${tag}:${tag}`)];
        await git(["-C", mirror, "config", "uploadpack.allowAnySHA1InWant", "true"], within);
        await git(["-C", cut, "fetch", "--quiet", "--no-tags", mirror, ...refs], within);
        await git(["-C", cut, "bundle", "create", "--quiet", `${cut}.bundle`, "HEAD", "--all"], within);
        return await readFile(`${cut}.bundle`);
      } finally {
        await rm(cut, { recursive: true, force: true });
        await rm(`${cut}.bundle`, { force: true });
      }
    },
  };
}

interface DatedCommit {
  commit: string;
  /** The commit's date, in epoch milliseconds. */
  atMs: number;
}

/**
 * Returns the last commit that was made before `atMs`, of commits in their order, the oldest first; null: there was none. A commit
 * counts as at least as new as those before it, whatever its date is, because a commit that was written earlier and pushed later
 * would bring them into the past. Dates later than `nowMs` come from a wrong clock, so their commits are ignored.
 */
function lastBefore(commits: readonly DatedCommit[], atMs: number, nowMs: number): string | null {
  const dated = commits.filter((commit) => commit.atMs <= nowMs);
  const end = dated.findIndex((commit) => commit.atMs > atMs);
  return (end === -1 ? dated : dated.slice(0, end)).at(-1)?.commit ?? null;
}

/**
 * Returns a bundle of the whole repository. A backtest has no other strategy to fall back to, unlike a Triage Run, so a failure
 * becomes BACKTEST_REPOSITORY_UNREADABLE.
 */
async function fetchWhole(fetch: () => Promise<Uint8Array>, signal: AbortSignal): Promise<Uint8Array> {
  try {
    return await fetch();
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof OperationalError) || error.code !== "CHECKOUT_BUNDLE_FAILED") throw error;
    throw new OperationalError<BacktestErrorCode>({
      code: "BACKTEST_REPOSITORY_UNREADABLE",
      message: error.message,
      remedy: "Check checkout.url, the network, and that GITHUB_TOKEN may read the contents.",
      cause: error,
    });
  }
}

function pastUnreadable(args: readonly string[], error: unknown): OperationalError<BacktestErrorCode> {
  return new OperationalError<BacktestErrorCode>({
    code: "BACKTEST_PAST_UNREADABLE",
    message: `cut a checkout of the past with git ${args.slice(0, 4).join(" ")}: ${error instanceof Error ? error.message.slice(0, 500) : String(error)}`,
    remedy:
      "Check the free disk space, and remove the backtest's folder in the home to fetch the repository again.",
    cause: error,
  });
}
