import { open, rename, rm } from "node:fs/promises";

/** The mode of every file of a home (S17). */
export const PRIVATE_FILE_MODE = 0o600;

/** A private file. A reader sees the old content or the new, never half of it; `unique` names what is being written. */
export async function writeFileAtomic(
  path: string,
  content: string | Uint8Array,
  unique: string,
): Promise<void> {
  const temporary = `${path}.${unique}.tmp`;
  const file = await open(temporary, "wx", PRIVATE_FILE_MODE);
  try {
    try {
      await file.writeFile(content);
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    // On a full disk what was begun would take the last of the space.
    await rm(temporary, { force: true });
    throw error;
  }
}
