import { execFile } from "node:child_process";
import { lstat } from "node:fs/promises";
import { promisify } from "node:util";
import { messageOf } from "agent-tty/kit";

const TIMEOUT_MS = 120_000;

/**
 * Removes a directory that no process uses any more. Resolves with null, or with a description of the obstacle. `rm` and `chmod
 * -R` follow no symbolic link and, unlike fs.rm, handle paths that are longer than the system accepts in one call.
 */
export async function removeTree(path: string, signal: AbortSignal): Promise<string | null> {
  const first = await run("rm", ["-rf", "--", path], signal);
  if (first === null || (await isAbsent(path))) return null;
  // Only root can remove the content of directories without write permission, such as those of Go's module cache.
  await run("chmod", ["-R", "u+rwx", "--", path], signal);
  const second = await run("rm", ["-rf", "--", path], signal);
  return second === null || (await isAbsent(path)) ? null : second;
}

async function run(program: string, argv: string[], signal: AbortSignal): Promise<string | null> {
  const env = { PATH: "/bin:/usr/bin", LC_ALL: "C" };
  try {
    await promisify(execFile)(program, argv, { env, signal, timeout: TIMEOUT_MS, maxBuffer: 1024 ** 2 });
    return null;
  } catch (error) {
    return (
      ((error as { stderr?: string }).stderr ?? "").trim().split("\n").slice(0, 5).join("\n") ||
      messageOf(error)
    );
  }
}

function isAbsent(path: string): Promise<boolean> {
  return lstat(path).then(
    () => false,
    (error: NodeJS.ErrnoException) => error.code === "ENOENT",
  );
}
