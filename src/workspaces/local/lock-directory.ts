import { type Dirent, constants } from "node:fs";
import { lstat, mkdir, open, readdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { Lease } from "../port.ts";
import { isWorkspaceName } from "../workspace-name.ts";

/**
 * The lock is the directory `<root>/<name>`. It is prepared under a hidden name and renamed into place, so that no visible lock
 * lacks its lease. Before it is removed it is renamed to a hidden name again, so that a new holder never finds files of the old
 * one.
 */
export type LockDirectory = VisibleLock | HiddenRemains;

interface VisibleLock {
  type: "locked";
  path: string;
  name: string;
  id: string;
  inode: bigint;
  record: LeaseRecord | null;
  createdAtMs: number;
}

/** A lock that is half created or half removed. */
interface HiddenRemains extends Omit<VisibleLock, "type"> {
  type: "creating" | "destroying";
}

/** The folders of a lock beside its lease: HOME, TMPDIR and the directory of the run. */
export const LOCK_FOLDERS = ["home", "tmp", "run"] as const;
const LEASE_FILE = "lease.json";
const MAX_LEASE_BYTES = 16_384;
const HIDDEN = /^\.(creating|destroying)\.([a-z0-9-]{1,32})\.([0-9a-z-]{1,64})$/;

const leaseRecord = z.object({
  id: z.string().regex(/^[0-9a-f]{32}$/),
  createdAtMs: z.number(),
  lease: z.object({ runId: z.string(), issueKey: z.string(), parent: z.string() }),
});
export type LeaseRecord = z.infer<typeof leaseRecord>;

export type ClaimResult =
  | { type: "claimed"; path: string; inode: bigint }
  | { type: "locked"; holder: Lease | null }
  /** Another parent's reaper removed the half-created directory as remains. */
  | { type: "reaped" };

/** Creates the lock, or resolves with its holder. */
export async function claimLock(root: string, name: string, record: LeaseRecord): Promise<ClaimResult> {
  const prepared = join(root, `.creating.${name}.${record.id}`);
  const path = join(root, name);
  try {
    await mkdir(prepared, { mode: 0o700 });
    await writeFile(join(prepared, LEASE_FILE), JSON.stringify(record), { mode: 0o600, flag: "wx" });
    for (const folder of LOCK_FOLDERS) await mkdir(join(prepared, folder), { mode: 0o700 });
    const { ino } = await lstat(prepared, { bigint: true });
    await rename(prepared, path);
    return { type: "claimed", path, inode: ino };
  } catch (error) {
    await rm(prepared, { recursive: true, force: true });
    const { code = "" } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return { type: "reaped" };
    if (["EEXIST", "ENOTEMPTY", "ENOTDIR"].includes(code))
      return { type: "locked", holder: (await readLease(path))?.lease ?? null };
    throw error;
  }
}

/**
 * Lists everything under the root that this provider provably created, because ownership is proven before a deletion (S15). A
 * person's own files there are left alone (O23).
 */
export async function listLocks(root: string): Promise<LockDirectory[]> {
  const entries = await readdir(root, { withFileTypes: true }).catch(absentAs<Dirent[]>([]));
  const locks = await Promise.all(
    entries.filter((entry) => entry.isDirectory()).map((entry) => inspect(root, entry.name)),
  );
  return locks.filter((lock) => lock !== null);
}

/**
 * Frees the name and resolves with the path that remains to be removed, or with null if the lock disappeared in between. If a new
 * holder has taken the name since the lock was inspected, its lock is moved back.
 */
export async function retireLock(root: string, lock: LockDirectory): Promise<string | null> {
  if (lock.type !== "locked") return lock.path;
  const retired = join(root, `.destroying.${lock.name}.${lock.id}`);
  try {
    await rename(lock.path, retired);
    const { ino } = await lstat(retired, { bigint: true });
    if (ino === lock.inode) return retired;
    await rename(retired, lock.path);
    return null;
  } catch (error) {
    return absentAs(null)(error);
  }
}

async function inspect(root: string, entryName: string): Promise<LockDirectory | null> {
  const path = join(root, entryName);
  const hidden = HIDDEN.exec(entryName);
  if (hidden === null && !isWorkspaceName(entryName)) return null;
  try {
    const { ino: inode, birthtimeMs } = await lstat(path, { bigint: true });
    const record = await readLease(path);
    const common = { path, inode, record, createdAtMs: record?.createdAtMs ?? Number(birthtimeMs) };
    if (hidden !== null) {
      const [, type = "", name = "", id = ""] = hidden;
      return { ...common, type: type === "creating" ? "creating" : "destroying", name, id };
    }
    if (record === null && !(await hasOurFolders(path))) return null;
    return { ...common, type: "locked", name: entryName, id: record?.id ?? `inode-${inode}` };
  } catch (error) {
    return absentAs(null)(error);
  }
}

async function hasOurFolders(path: string): Promise<boolean> {
  const entries = await readdir(path);
  return LOCK_FOLDERS.every((folder) => entries.includes(folder));
}

/**
 * Returns the lease, or null if it cannot be read. The Coder workspace's own processes could have replaced the file, so no link
 * is followed, no FIFO is waited for, and little is read.
 */
async function readLease(path: string): Promise<LeaseRecord | null> {
  try {
    const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
    await using file = await open(join(path, LEASE_FILE), flags);
    if (!(await file.stat()).isFile()) return null;
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MAX_LEASE_BYTES), 0, MAX_LEASE_BYTES, 0);
    return leaseRecord.parse(JSON.parse(buffer.toString("utf8", 0, bytesRead)));
  } catch {
    return null;
  }
}

function absentAs<T>(value: T): (error: unknown) => T {
  return (error) => {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return value;
    throw error;
  };
}
