import { cp, mkdir, mkdtemp, readdir, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { execa } from "execa";

/** A copy of the project's own files as they are now, with links to the installed packages. Gone when disposed. */
export async function copyTree(root: string): Promise<{ directory: string } & AsyncDisposable> {
  const directory = await mkdtemp(join(tmpdir(), "afk-mutants-"));
  const { stdout } = await execa("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: root,
  });
  for (const file of new Set(stdout.split("\0").filter((name) => name !== ""))) {
    await mkdir(dirname(join(directory, file)), { recursive: true });
    // A tracked file may have been deleted.
    await cp(join(root, file), join(directory, file)).catch(ignoreMissing);
  }
  await linkPackages(join(root, "node_modules"), join(directory, "node_modules"));
  return { directory, [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true }) };
}

/** The copy's own Session engine, not that of the original, is its package `agent-tty`. */
async function linkPackages(from: string, to: string): Promise<void> {
  await mkdir(to);
  // .cache holds what scripts have downloaded; .vite is the test runner's own and must not be shared.
  for (const name of (await readdir(from)).filter((entry) => entry !== ".vite" && entry !== ".vite-temp"))
    await symlink(name === "agent-tty" ? "../src/agent-tty" : join(from, name), join(to, name));
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== "ENOENT") throw error;
}
