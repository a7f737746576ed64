import type { Dirent, Stats } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";

export interface Measured {
  /** The disk space that removing it would free. */
  bytes: number;
  /** The latest change of any file in it, in milliseconds since the Unix epoch. */
  changedAtMs: number;
}

const BLOCK_BYTES = 512;

/**
 * Measures a file, or a directory with everything in it. A link counts as itself and is not followed. Returns null if the path
 * does not exist.
 */
export async function measure(path: string, signal: AbortSignal): Promise<Measured | null> {
  signal.throwIfAborted();
  const own = await unlessMissing<Stats>(lstat(path));
  if (own === null) return null;
  const measured: Measured = { bytes: own.blocks * BLOCK_BYTES, changedAtMs: own.mtimeMs };
  if (!own.isDirectory()) return measured;
  for (const { name } of await entriesOf(path)) {
    const below = await measure(join(path, name), signal);
    if (below === null) continue;
    measured.bytes += below.bytes;
    measured.changedAtMs = Math.max(measured.changedAtMs, below.changedAtMs);
  }
  return measured;
}

/**
 * Returns the entries of a directory, sorted by name; an empty list if the path does not exist or is not a directory (for example
 * a link).
 */
export async function entriesOf(path: string): Promise<Dirent[]> {
  const own = await unlessMissing<Stats>(lstat(path));
  if (own === null || !own.isDirectory()) return [];
  const entries = await unlessMissing(readdir(path, { withFileTypes: true }));
  return (entries ?? []).toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

async function unlessMissing<Found>(looking: Promise<Found>): Promise<Found | null> {
  try {
    return await looking;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}
