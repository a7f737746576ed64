import { cp, mkdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { execa } from "execa";
import semver from "semver";
import { dependencyFolders, folderOf, installVersions } from "./package-store.ts";

export interface PackageHistory {
  /** The path of a git repository on branch `main`; every version is a commit with the tag `v<version>`, in version order. */
  directory: string;
  /** In version order. */
  versions: string[];
  /** The versions that the npm registry no longer has. */
  missing: string[];
}

/**
 * Creates a git repository of the published versions of an npm package. Each commit tracks `package.json` and
 * `node_modules/<package>` at that version, with its dependencies beside it. The commit ids are the same everywhere. `cache`
 * stores the installed packages; `directory` must not exist.
 */
export async function buildPackageHistory(
  packageName: string,
  versions: readonly string[],
  { cache, directory }: { cache: string; directory: string },
): Promise<PackageHistory> {
  const ordered = [...versions].sort(semver.compare);
  const { store, installed } = await installVersions(packageName, ordered, cache);
  const modules = join(directory, "node_modules");
  await mkdir(modules, { recursive: true });
  for (const name of await dependencyFolders(store))
    await copy(join(store.modules, name), join(modules, name));
  await startRepository(directory);
  const product = join(modules, packageName);
  await mkdir(dirname(product), { recursive: true });
  for (const version of installed) {
    await rm(product, { recursive: true, force: true });
    await copy(folderOf(store, version), product);
    await commitVersion(directory, packageName, version);
  }
  return {
    directory,
    versions: installed,
    missing: ordered.filter((version) => !installed.includes(version)),
  };
}

/**
 * Creates a repository with the commits of `history` up to a version, or up to the newest earlier version in the history.
 * `directory` must not exist.
 */
export async function cutPackageHistory(history: string, upTo: string, directory: string): Promise<void> {
  const tags = (await git(history, "tag", "--list", "v*")).split("\n").map((tag) => tag.slice(1));
  const last = tags
    .filter((version) => semver.valid(version) !== null && semver.lte(version, upTo))
    .sort(semver.compare)
    .at(-1);
  if (last === undefined) throw new Error(`${history} has no version up to ${upTo}`);
  const parent = dirname(directory);
  const made = `${directory}.partial`;
  await rm(made, { recursive: true, force: true });
  await mkdir(parent, { recursive: true });
  await git(
    parent,
    "clone",
    "-q",
    "--no-local",
    "--template=",
    "--single-branch",
    "--branch",
    `v${last}`,
    history,
    made,
  );
  await git(made, "checkout", "-q", "-B", "main");
  await git(made, "remote", "remove", "origin");
  await rename(made, directory);
}

/** Creates an empty git repository on branch `main`. */
export async function startRepository(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true });
  await git(directory, "init", "-q", "--initial-branch=main", "--object-format=sha1", "--template=");
}

/** Commits and tags the folder's content, with a manifest that requires one version of the package. */
export async function commitVersion(directory: string, packageName: string, version: string): Promise<void> {
  await writeFile(join(directory, "package.json"), manifest(packageName, version));
  await git(directory, "add", "--all", "--force");
  await git(directory, "commit", "-q", "--no-gpg-sign", "--allow-empty", "-m", `${packageName} ${version}`);
  await git(directory, "tag", "--no-sign", `v${version}`);
}

function manifest(packageName: string, version: string): string {
  const content = {
    name: "checkout",
    version: "1.0.0",
    private: true,
    dependencies: { [packageName]: version },
  };
  return `${JSON.stringify(content, null, 1)}\n`;
}

async function copy(from: string, to: string): Promise<void> {
  await cp(from, to, { recursive: true, verbatimSymlinks: true });
}

/** Runs git without the configuration of the machine and the user, at a fixed date. */
async function git(cwd: string, ...args: string[]): Promise<string> {
  const date = "2020-01-01T00:00:00Z";
  const env = {
    PATH: process.env["PATH"] ?? "",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_AUTHOR_NAME: "Release",
    GIT_AUTHOR_EMAIL: "release@example.test",
    GIT_AUTHOR_DATE: date,
    GIT_COMMITTER_NAME: "Release",
    GIT_COMMITTER_EMAIL: "release@example.test",
    GIT_COMMITTER_DATE: date,
  };
  const { stdout } = await execa("git", args, { cwd, env, extendEnv: false, timeout: 60_000 });
  return stdout;
}
