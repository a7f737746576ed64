import { readdirSync, rmdirSync, unlinkSync } from "node:fs";
import { join } from "node:path";

/**
 * Removes a directory and its contents; files that are already gone are not an error. Links are removed, not followed.
 * Synchronous, because a Session is a dozen small files, and so many trips through the thread pool would take several times as
 * long.
 */
export function removeTree(path: string): void {
  for (const entry of unlessMissing(() => readdirSync(path, { withFileTypes: true })) ?? []) {
    const child = join(path, entry.name);
    if (entry.isDirectory()) removeTree(child);
    else unlessMissing(() => unlinkSync(child));
  }
  unlessMissing(() => rmdirSync(path));
}

/** Returns the result of `act`, or null if the file does not exist, because another gc has removed it. */
function unlessMissing<T>(act: () => T): T | null {
  try {
    return act();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}
