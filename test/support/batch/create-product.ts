import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { execa } from "execa";
import { temporaryDirectory } from "../temporary-directory.ts";

/** The content of every file below a directory, by relative path. */
type Tree = ReadonlyMap<string, Uint8Array>;

/** The one source file of each product. */
const SOURCES = {
  /** `first([])` throws a TypeError. */
  "widget.mjs": "export const first = (list) => list[0].name;\n",
  /** In a language without adapter: it says TypeError and fails. */
  "widget.sh": "echo TypeError; exit 1\n",
} as const;
export type ProductSource = keyof typeof SOURCES;

/** git makes each once for all tests of this process: starting git four times cost more than the rest of a stage. */
const made = new Map<ProductSource, Promise<Tree>>();

/** A git repository with one source file. */
export async function createProduct(
  directory: string,
  source: ProductSource = "widget.mjs",
): Promise<string> {
  const making = made.get(source) ?? makeProduct(source);
  made.set(source, making);
  for (const [name, bytes] of await making) {
    const path = join(directory, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, bytes);
  }
  // git takes no directory without it for a repository.
  await mkdir(join(directory, ".git/refs/tags"), { recursive: true });
  return directory;
}

async function makeProduct(source: ProductSource): Promise<Tree> {
  await using directory = await temporaryDirectory();
  const cwd = directory.path;
  await writeFile(join(cwd, source), SOURCES[source]);
  const git = execa({ cwd, env: { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" } });
  await git`git init --quiet --initial-branch main --template=`;
  await git`git add ${source}`;
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
