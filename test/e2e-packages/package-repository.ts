import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { execa } from "execa";
import type { PackageCase } from "./package-cases.ts";

const PERSON = { name: "Release", email: "release@example.test" };

/**
 * Creates a git repository in `directory` from the published tarballs, with one commit and one tag for each version and the same
 * ids on every machine. Returns the URL to clone. Each tarball is downloaded from the npm registry once and stays in `cache`.
 */
export async function createPackageRepository(
  { name, version, earlier, published }: PackageCase,
  { cache, directory }: { cache: string; directory: string },
): Promise<string> {
  await mkdir(directory, { recursive: true });
  const git = gitIn(directory, published);
  await git("init", "-q", "--initial-branch=main", "--object-format=sha1", "--template=");
  for (const one of [...earlier, version]) {
    const tarball = await fetchTarball(`${name}@${one}`, cache);
    if (one !== (earlier[0] ?? version)) await git("rm", "-q", "-r", ".");
    await execa("tar", ["-xzf", tarball, "--strip-components=1", "--no-same-owner", "-C", directory]);
    await git("add", "--force", "--all");
    await git("commit", "-q", "--no-gpg-sign", "-m", `${name} ${one}, as published on npm`);
    await git("tag", "--no-sign", "-a", `v${one}`, "-m", `v${one}`);
  }
  return pathToFileURL(directory).href;
}

/** Returns the `checkout.setup` commands that install the package's dependencies. */
export async function installCommands(
  dependencies: readonly string[],
  { cache }: { cache: string },
): Promise<string[]> {
  return Promise.all(
    dependencies.map(async (spec) => {
      const tarball = await fetchTarball(spec, cache);
      const folder = `node_modules/${spec.slice(0, spec.lastIndexOf("@"))}`;
      return `mkdir -p ${folder} && tar -xzf '${tarball}' --strip-components=1 -C ${folder}`;
    }),
  );
}

async function fetchTarball(spec: string, cache: string): Promise<string> {
  const folder = join(cache, spec);
  await mkdir(folder, { recursive: true });
  if ((await tarballsIn(folder)).length === 0)
    await execa("npm", ["pack", spec, "--silent", "--pack-destination", folder], { cwd: folder });
  const [file] = await tarballsIn(folder);
  if (file === undefined) throw new Error(`npm pack ${spec} left no tarball in ${folder}`);
  return join(folder, file);
}

async function tarballsIn(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((file) => file.endsWith(".tgz"));
}

/** Returns a function that runs git without the configuration of the machine and the user. */
function gitIn(cwd: string, date: string): (...args: string[]) => Promise<unknown> {
  const env = {
    PATH: process.env["PATH"] ?? "",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_AUTHOR_NAME: PERSON.name,
    GIT_AUTHOR_EMAIL: PERSON.email,
    GIT_AUTHOR_DATE: date,
    GIT_COMMITTER_NAME: PERSON.name,
    GIT_COMMITTER_EMAIL: PERSON.email,
    GIT_COMMITTER_DATE: date,
  };
  return (...args) => execa("git", args, { cwd, env, extendEnv: false, timeout: 30_000 });
}
