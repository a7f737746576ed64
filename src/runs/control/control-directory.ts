import { chmod, lstat, mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { messageOf } from "agent-tty/kit";
import { controlUnavailable } from "./control-error.ts";

/** Returns `<home>/control/<run id>`, the directory of the socket that the parent of a batch listens on. */
export function controlDirectory(home: string, runId: string): string {
  return join(home, "control", runId);
}

/**
 * Creates the directory with mode 0700 and checks its owner, so that other users can neither connect to the socket
 * nor replace it (S17).
 */
export async function makeControlDirectory(directory: string): Promise<void> {
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    await chmod(directory, 0o700);
    const stats = await lstat(directory);
    if (stats.isDirectory() && stats.uid === (process.getuid?.() ?? stats.uid)) return;
  } catch (error) {
    throw controlUnavailable(directory, messageOf(error));
  }
  throw controlUnavailable(directory, "it is not a directory of this user");
}

/** Removes sockets left over from parents that were killed. Ignores failures. */
export async function removeControlOf(
  home: string,
  isDead: (runId: string) => Promise<boolean>,
): Promise<void> {
  const runIds = await readdir(join(home, "control")).catch(() => []);
  for (const runId of runIds) {
    if (await isDead(runId))
      await rm(controlDirectory(home, runId), { recursive: true, force: true }).catch(() => undefined);
  }
}
