import { cp, mkdir, mkdtemp, readdir, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { execa } from "execa";

/** Copies the project's own files in their current state and links the installed packages. Dispose removes the copy. */
export async function copyTree(root: string): Promise<{ directory: string } & AsyncDisposable> {
  const directory = await mkdtemp(join(tmpdir(), "afk-mutants-"));
  const { stdout } = await execa("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: root,
  });
  for (const file of new Set(stdout.split("\0").filter((name) => name !== ""))) {
    await mkdir(dirname(join(directory, file)), { recursive: true });
    // A tracked file may be missing from the working tree.
    await cp(join(root, file), join(directory, file)).catch(ignoreMissing);
  }
  await linkPackages(join(root, "node_modules"), join(directory, "node_modules"));
  return { directory, [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true }) };
}

/** Links the installed packages; the package `agent-tty` is the copy's own Session engine, not the original's. */
async function linkPackages(from: string, to: string): Promise<void> {
  await mkdir(to);
  // .cache holds the downloads of scripts; .vite belongs to the test runner and must not be shared.
  for (const name of (await readdir(from)).filter((entry) => entry !== ".vite" && entry !== ".vite-temp"))
    await symlink(name === "agent-tty" ? "../src/agent-tty" : join(from, name), join(to, name));
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== "ENOENT") throw error;
}
