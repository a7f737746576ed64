import { link, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { type Ids, PRIVATE_FILE_MODE } from "agent-tty/kit";
import { refused, releaseError } from "../release-error.ts";

/** Who holds a lock, and whether that process is proven dead. */
export interface LockOwner {
  /** Of this process. */
  identity: string;
  isGone(identity: string): Promise<boolean>;
}

/** One release step of a repository at a time. A lock of a dead process is taken over. Rejects with RELEASE_BUSY. */
export async function takeLock(path: string, owner: LockOwner, ids: Ids): Promise<AsyncDisposable> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const prepared = `${path}.${ids.hex(8)}`;
  await writeFile(prepared, owner.identity, { flag: "wx", mode: PRIVATE_FILE_MODE });
  try {
    // Linked, so that a lock is never seen without its owner in it.
    while (!(await linked(prepared, path))) await takeOver(path, owner, ids);
  } finally {
    await rm(prepared, { force: true });
  }
  return { [Symbol.asyncDispose]: () => rm(path, { force: true }) };
}

/** Moves the lock of a dead process out of the way. */
async function takeOver(path: string, owner: LockOwner, ids: Ids): Promise<void> {
  const holder = await readFile(path, "utf8").catch(absent);
  if (holder === null) return;
  if (!(await owner.isGone(holder)))
    throw releaseError(
      refused(
        "RELEASE_BUSY",
        `begin a release step: ${holder} is at one of the same repository`,
        `Let it finish. If no such process is there, delete ${path}.`,
      ),
    );
  const aside = `${path}.${ids.hex(8)}`;
  await rename(path, aside).catch(absent);
  await rm(aside, { force: true });
}

async function linked(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

function absent(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT") return null;
  throw error;
}
