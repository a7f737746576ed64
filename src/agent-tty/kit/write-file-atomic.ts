import { renameSync, rmSync, writeFileSync } from "node:fs";

/** The mode of every file of a home (S17). */
export const PRIVATE_FILE_MODE = 0o600;

/**
 * A private file. A reader sees the old content or the new, never half of it; `unique` names what is being written. Rejects with
 * Node's error of the system call. Content goes to the system's memory, so that waiting for a thread of Node's would be most of the work.
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
    // On a full disk what was begun would take the last of the space.
    if (!isTaken(error)) rmSync(temporary, { force: true });
    throw error;
  }
}

/** Somebody else writes under this name. */
function isTaken(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === "EEXIST";
}
