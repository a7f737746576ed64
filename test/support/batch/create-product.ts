import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { execa } from "execa";
import { temporaryDirectory } from "../temporary-directory.ts";

/** The content of every file below a directory, by relative path. */
type Tree = ReadonlyMap<string, Uint8Array>;

/**
 * git creates the product once for all tests of this process, because starting git four times took longer than the rest of a
 * stage.
 */
let made: Promise<Tree> | undefined;

/** Creates a git repository whose `first([])` throws a TypeError. */
export async function createProduct(directory: string): Promise<string> {
  for (const [name, bytes] of await (made ??= makeProduct())) {
    const path = join(directory, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, bytes);
  }
  // git does not recognise a repository without this directory.
  await mkdir(join(directory, ".git/refs/tags"), { recursive: true });
  return directory;
}

async function makeProduct(): Promise<Tree> {
  await using directory = await temporaryDirectory();
  const cwd = directory.path;
  await writeFile(join(cwd, "widget.mjs"), "export const first = (list) => list[0].name;\n");
  const git = execa({ cwd, env: { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" } });
  await git`git init --quiet --initial-branch main --template=`;
  await git`git add widget.mjs`;
  await git`git -c user.name=t -c user.email=t@example.test commit --quiet --message widget`;
  return await read(cwd);
}

async function read(directory: string): Promise<Tree> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  return new Map(
    await Promise.all(
      paths.map(async (path): Promise<[string, Uint8Array]> => [
        path.slice(directory.length + 1),
        await readFile(path),
      ]),
    ),
  );
}
