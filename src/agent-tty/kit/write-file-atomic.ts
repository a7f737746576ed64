import { renameSync, rmSync, writeFileSync } from "node:fs";

/** The mode of every file of a home (S17). */
export const PRIVATE_FILE_MODE = 0o600;

/**
 * Writes a private file. A reader sees the old content or the new, never a part of it; `unique` distinguishes this write from
 * concurrent ones. Rejects with Node's error of the system call. The writes are synchronous: they only reach the system's memory,
 * so waiting for one of Node's threads would take longer than the write.
 */
export async function writeFileAtomic(
  path: string,
  content: string | Uint8Array,
  unique: string,
): Promise<void> {
  const temporary = `${path}.${unique}.tmp`;
  try {
    writeFileSync(temporary, content, { flag: "wx", mode: PRIVATE_FILE_MODE });
    renameSync(temporary, path);
  } catch (error) {
    // On a full disk the incomplete file would use up the last free space.
    if (!isTaken(error)) rmSync(temporary, { force: true });
    throw error;
  }
}

/** Returns whether another writer uses this temporary name. */
function isTaken(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === "EEXIST";
}
