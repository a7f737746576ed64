import { type FileHandle, open, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { maskSecrets } from "../../github/index.ts";
import type { CanaryDetector, CanaryHit } from "./canary-detector.ts";

/** What a Session wrote down: its records, and the bytes they point into. */
const LOG_FILES = ["output.bin", "events.jsonl"];
/** Says that there was a Session, and nothing of what it showed. */
const MANIFEST = "session.json";
const WINDOW_BYTES = 4 * 1024 * 1024;
/** A secret that lies across the end of a window is seen whole in the next one. */
const OVERLAP_BYTES = 64 * 1024;

/**
 * The files of a Session that has ended, without secrets. Token-shaped strings are masked where they stand, at the same
 * length, so that the Event Log still replays (S18). When a secret of the parent is in it, in whatever form, everything
 * that the Session showed goes, and the hit says so (S8).
 */
export async function cleanSession(directory: string, canaries: CanaryDetector): Promise<CanaryHit | null> {
  let isMasked = false;
  for (const name of LOG_FILES) {
    const file = await open(join(directory, name), "r+").catch(absent);
    if (file === null) continue;
    await using _closing = file;
    const found = await cleanFile(file, canaries);
    if (found.hit !== null) {
      await removeAllBut(directory, [MANIFEST]);
      return found.hit;
    }
    isMasked ||= found.isMasked;
  }
  // Screens of the unmasked output; they are a cache, and pictures are drawn anew.
  if (isMasked) await removeAllBut(directory, [MANIFEST, ...LOG_FILES]);
  return null;
}

async function cleanFile(
  file: FileHandle,
  canaries: CanaryDetector,
): Promise<{ hit: CanaryHit | null; isMasked: boolean }> {
  let isMasked = false;
  // Most are small, and a window for each would cost more than the search. One byte more shows the end.
  const { size } = await file.stat();
  const buffer = Buffer.allocUnsafe(Math.min(WINDOW_BYTES, size + 1));
  for (let at = 0; ; at += WINDOW_BYTES - OVERLAP_BYTES) {
    const { bytesRead } = await file.read(buffer, 0, buffer.byteLength, at);
    const text = buffer.toString("latin1", 0, bytesRead);
    const hit = canaries.find(text);
    if (hit !== null) return { hit, isMasked };
    const masked = maskSecrets(text);
    if (masked !== text) {
      isMasked = true;
      await file.write(Buffer.from(masked, "latin1"), 0, bytesRead, at);
    }
    if (bytesRead < buffer.byteLength) return { hit: null, isMasked };
  }
}

async function removeAllBut(directory: string, kept: readonly string[]): Promise<void> {
  for (const name of await readdir(directory)) {
    if (!kept.includes(name)) await rm(join(directory, name), { recursive: true, force: true });
  }
}

function absent(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT") return null;
  throw error;
}
