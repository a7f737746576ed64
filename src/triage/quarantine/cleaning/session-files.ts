import { closeSync, openSync, readdirSync, readSync, rmSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { maskSecrets } from "../../../github/index.ts";
import type { CanaryDetector } from "../canary-detector.ts";
import type { CanaryHit } from "../secret-search.ts";
import { mayHoldToken } from "../quick/index.ts";

/** The files of a Session: its records and the bytes that they point into, each in one file or, with a capped log, in several. */
const OUTPUT_FILE = /^output(?:\.(\d+)-\d+-\d+)?\.bin$/;
const EVENTS_FILE = /^events(?:\.(\d+)-\d+-\d+)?\.jsonl$/;
/** Says that there was a Session, and nothing of what it showed. */
const MANIFEST = "session.json";
/** Read at a time; between two windows the work can be cancelled. */
const WINDOW_BYTES = 256 * 1024;
/** A secret that lies across the end of a window, or of a file, is seen whole in the next one. */
const OVERLAP_BYTES = 32 * 1024;

export type CleaningWork = "search" | "mask" | "search-and-mask";

/**
 * Synchronous where it reads and writes, since a window is done sooner than a thread of Node's is told of it.
 *
 * Searches the files of a Session that has ended for secrets of the parent, in whatever form (S8), masks token-shaped strings in
 * them at the same length (S18), or both. Both: a hit empties the Session. `signal` ends it between two windows.
 */
export async function workOnSession(
  directory: string,
  canaries: CanaryDetector,
  work: CleaningWork,
  signal?: AbortSignal,
): Promise<CanaryHit | null> {
  const [output, events] = logFilesOf(directory);
  let isMasked = false;
  for (const files of [output, events]) {
    const found = await workOnFiles(directory, files, { canaries, work, signal });
    if (found.hit !== null) {
      if (work !== "search") emptySession(directory);
      return found.hit;
    }
    isMasked ||= found.isMasked;
  }
  // Screens of the unmasked output; they are a cache, and pictures are drawn anew.
  if (isMasked) removeAllBut(directory, [MANIFEST, ...output, ...events]);
  return null;
}

/** Removes all that a Session showed; its manifest still says that there was one. */
export function emptySession(directory: string): void {
  removeAllBut(directory, [MANIFEST]);
}

/** The names of the files of output, and of those of records, each in order. */
export function logFilesOf(directory: string): [output: string[], events: string[]] {
  const names = readdirSync(directory);
  return [inOrder(names, OUTPUT_FILE), inOrder(names, EVENTS_FILE)];
}

/** In bytes. */
export function sizeOfLogs(directory: string): number {
  const files = logFilesOf(directory).flat();
  return files.reduce((sum, name) => sum + statSync(join(directory, name)).size, 0);
}

function inOrder(names: readonly string[], pattern: RegExp): string[] {
  const numbered = names.flatMap((name) => {
    const match = pattern.exec(name);
    return match === null ? [] : [{ name, index: Number(match[1] ?? 0) }];
  });
  return numbered.toSorted((one, other) => one.index - other.index).map(({ name }) => name);
}

/** A part of a file that was searched and masked, and is so again together with what follows it. */
interface Piece {
  name: string;
  /** Where it begins in the file of that name. */
  at: number;
  bytes: Buffer;
}

/** The bytes of several files as one stream, of which the last part is kept in hand. */
async function workOnFiles(
  directory: string,
  names: readonly string[],
  {
    canaries,
    work,
    signal,
  }: { canaries: CanaryDetector; work: CleaningWork; signal: AbortSignal | undefined },
): Promise<{ hit: CanaryHit | null; isMasked: boolean }> {
  const [searches, masks] = [work !== "mask", work !== "search"];
  let isMasked = false;
  let before: Piece | null = null;
  for (const name of names) {
    const fd = openSync(join(directory, name), masks ? "r+" : "r");
    try {
      for (let at = 0; ;) {
        const kept: number = before === null ? 0 : before.bytes.copy(windowBuffer);
        const bytesRead = readSync(fd, windowBuffer, kept, WINDOW_BYTES, at);
        if (bytesRead === 0) break;
        const bytes = windowBuffer.subarray(0, kept + bytesRead);
        const hit = searches ? canaries.findInBytes(bytes) : null;
        if (hit !== null) return { hit, isMasked };
        if (masks && maskBytes(bytes)) {
          isMasked = true;
          writeSync(fd, bytes, kept, bytesRead, at);
          if (before !== null) {
            const earlier = openSync(join(directory, before.name), "r+");
            try {
              writeSync(earlier, bytes, 0, kept, before.at);
            } finally {
              closeSync(earlier);
            }
          }
        }
        at += bytesRead;
        const overlapBytes = Math.min(OVERLAP_BYTES, bytesRead);
        before = { name, at: at - overlapBytes, bytes: Buffer.from(bytes.subarray(-overlapBytes)) };
        await setImmediate();
        signal?.throwIfAborted();
      }
    } finally {
      closeSync(fd);
    }
  }
  return { hit: null, isMasked };
}

/** Overwritten by the next window. */
const windowBuffer = Buffer.allocUnsafeSlow(OVERLAP_BYTES + WINDOW_BYTES);

/** Masks token-shaped strings in a text whose characters are bytes; whether there was one. */
function maskBytes(bytes: Buffer): boolean {
  if (!mayHoldToken(bytes)) return false;
  const text = bytes.toString("latin1");
  const masked = maskSecrets(text);
  bytes.write(masked, "latin1");
  return masked !== text;
}

function removeAllBut(directory: string, kept: readonly string[]): void {
  for (const name of readdirSync(directory)) {
    if (!kept.includes(name)) rmSync(join(directory, name), { recursive: true, force: true });
  }
}
