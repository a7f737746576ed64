import { access, mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";

const INSTALL_LIMIT_MS = 5 * 60_000;

/** The published versions of one npm package, installed side by side in a folder outside of every checkout. */
export interface PackageStore {
  readonly packageName: string;
  /** The store's `node_modules`: an alias folder for each version, with all dependencies beside them. */
  readonly modules: string;
}

/**
 * Installs the versions that `cache` does not contain yet, without install scripts. Returns the versions that it contains
 * afterwards.
 */
export async function installVersions(
  packageName: string,
  versions: readonly string[],
  cache: string,
): Promise<{ store: PackageStore; installed: string[] }> {
  const root = join(cache, packageName.replace("/", "__"));
  const store: PackageStore = { packageName, modules: join(root, "node_modules") };
  await mkdir(root, { recursive: true });
  const missing = await missingVersions(versions, store);
  if (missing.length > 0) {
    if (!(await exists(join(root, "package.json"))))
      await writeFile(join(root, "package.json"), '{"private":true}\n');
    const specs = missing.map((version) => `${aliasOf(version)}@npm:${packageName}@${version}`);
    await execa("npm", ["install", ...NPM_FLAGS, "--prefix", root, ...specs], {
      cwd: root,
      timeout: INSTALL_LIMIT_MS,
      stdin: "ignore",
      reject: false,
    });
  }
  const notInstalled = new Set(await missingVersions(versions, store));
  return { store, installed: versions.filter((version) => !notInstalled.has(version)) };
}

const NPM_FLAGS = [
  "--ignore-scripts",
  "--no-audit",
  "--no-fund",
  "--legacy-peer-deps",
  "--omit=optional",
  "--loglevel=error",
];

/** Returns the folder of one version, which contains its nested dependencies. */
export function folderOf({ modules }: PackageStore, version: string): string {
  return join(modules, aliasOf(version));
}

/** Returns the names of the dependencies below `node_modules`. */
export async function dependencyFolders({ modules, packageName }: PackageStore): Promise<string[]> {
  const names = await readdir(modules).catch(() => []);
  return names.filter((name) => !/^(?:v\d+_|\.)/.test(name) && name !== packageName);
}

function aliasOf(version: string): string {
  return `v${version.replaceAll(/\W/g, "_")}`;
}

async function missingVersions(versions: readonly string[], store: PackageStore): Promise<string[]> {
  const present = await Promise.all(
    versions.map((version) => exists(join(folderOf(store, version), "package.json"))),
  );
  return versions.filter((_, index) => present[index] !== true);
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
