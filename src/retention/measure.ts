import type { Dirent, Stats } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";

export interface Measured {
  /** On disk: what removing it would free. */
  bytes: number;
  /** The latest change of anything in it. */
  changedAtMs: number;
}

const BLOCK_BYTES = 512;

/** A file or a directory with all in it; a link counts as itself and is not followed. null: it is gone. */
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

/** By name; none where there is no such directory, or a link in its place. */
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
