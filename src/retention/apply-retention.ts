import { lstat, mkdir, readdir, rename, rm, rmdir } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { type Ids, messageOf } from "agent-tty/kit";
import type { KeptUnit } from "./plan-retention.ts";

/**
 * Files are moved here before they are deleted, so that no reader sees a half-deleted unit. The next pass finishes a deletion
 * that was interrupted.
 */
export const TRASH = ".pruned";

export interface AppliedRetention {
  removed: readonly KeptUnit[];
  failed: readonly { path: string; message: string }[];
  /** The signal aborted before all units were removed; the next pass continues. */
  isCutOff: boolean;
}

export interface ApplyPorts {
  ids: Ids;
  /** Called right before a unit is moved: returns whether it has become needed since it was examined. */
  isNeededNow: (unit: KeptUnit) => Promise<boolean>;
}

/**
 * Removes units of the home `directory`, in the given order. Nothing outside the home is touched, and no symbolic link is
 * followed: a unit below a linked directory is reported as failed. The call never rejects because of a unit.
 */
export async function applyRetention(
  directory: string,
  units: readonly KeptUnit[],
  { ids, isNeededNow }: ApplyPorts,
  signal: AbortSignal,
): Promise<AppliedRetention> {
  const removed: KeptUnit[] = [];
  const failed: { path: string; message: string }[] = [];
  const trash = join(directory, TRASH);
  await mkdir(trash, { recursive: true, mode: 0o700 });
  if (!(await lstat(trash)).isDirectory()) throw new Error(`${trash} is not a directory`);
  for (const left of await readdir(trash)) await rm(join(trash, left), { recursive: true, force: true });
  for (const unit of units) {
    if (signal.aborted) return { removed, failed, isCutOff: true };
    try {
      await refuseLinks(directory, unit.path);
      if (await isNeededNow(unit)) continue;
      const moved = join(trash, ids.hex(8));
      await rename(join(directory, unit.path), moved);
      await rm(moved, { recursive: true, force: true });
      removed.push(unit);
      await removeEmptyParent(directory, unit.path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") continue;
      failed.push({ path: unit.path, message: messageOf(error) });
    }
  }
  return { removed, failed, isCutOff: false };
}

/**
 * Throws unless every path component between the home and the unit is a real directory. The unit itself may be a link: the link
 * is moved, not its target.
 */
async function refuseLinks(home: string, path: string): Promise<void> {
  const names = path.split("/");
  if (names.some((name) => name === "" || name === "." || name === ".." || name.includes(sep)))
    throw new Error("it leads out of the home");
  for (let depth = 1; depth < names.length; depth += 1) {
    const parent = join(home, ...names.slice(0, depth));
    if (!(await lstat(parent)).isDirectory()) throw new Error(`${parent} is a link or not a directory`);
  }
}

/** Removes the directory of a batch or of a repository's checkpoints once it is empty. */
async function removeEmptyParent(home: string, path: string): Promise<void> {
  if (path.split("/").length < 3 || path.startsWith("agent-tty/")) return;
  await rmdir(join(home, dirname(path))).catch(() => undefined);
}
