import { chmod, lstat, mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { messageOf } from "agent-tty/kit";
import { controlUnavailable } from "./control-error.ts";

/** `<home>/control/<run id>`: where the parent of a batch listens. */
export function controlDirectory(home: string, runId: string): string {
  return join(home, "control", runId);
}

/** S17: 0700 and ours, so that nobody else can connect to the socket in it, or put theirs in its place. */
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

/** Sockets of parents that were killed are of no use to anybody. Best effort. */
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
