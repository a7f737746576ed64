import { chmod, lstat, mkdir } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { makeDirectory, messageOf, OperationalError, storageRefusal } from "../kit/index.ts";
import type { HomeErrorCode } from "./home-error.ts";

export { PRIVATE_FILE_MODE } from "../kit/index.ts";

export const PRIVATE_DIRECTORY_MODE = 0o700;

/** Returns this process's user id; -1 if the system has no user ids. */
export function ownUserId(): number {
  return process.getuid?.() ?? -1;
}

/**
 * Creates a directory that only this user can access (S17). Rejects with HOME_REFUSED for a symbolic link or a directory of
 * another user, which is left untouched, and with HOME_REFUSED or STORAGE_REFUSED if it cannot be created.
 */
export async function ensurePrivateDirectory(path: string, userId: number = ownUserId()): Promise<void> {
  const notMade = (error: unknown): never => {
    throw storageRefusal(error) ?? refused(path, messageOf(error));
  };
  await makeDirectory(dirname(resolve(path)), PRIVATE_DIRECTORY_MODE).catch(notMade);
  await mkdir(path, { mode: PRIVATE_DIRECTORY_MODE }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") notMade(error);
  });
  const stats = await lstat(path);
  if (stats.isSymbolicLink()) throw refused(path, "it is a symbolic link");
  if (!stats.isDirectory()) throw refused(path, "it is not a directory");
  if (userId !== -1 && stats.uid !== userId)
    throw refused(path, `user ${stats.uid} owns it and we are user ${userId}`);
  if ((stats.mode & 0o077) !== 0) await chmod(path, PRIVATE_DIRECTORY_MODE);
}

function refused(path: string, reason: string): OperationalError<HomeErrorCode> {
  return new OperationalError<HomeErrorCode>({
    code: "HOME_REFUSED",
    message: `refusing to use ${path} for Sessions: ${reason}`,
    remedy: "choose a directory that you own with --home or AGENT_TTY_HOME",
    details: { path },
  });
}
