import { closeSync, openSync, readdirSync, readSync, rmSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { maskSecrets } from "../../../github/index.ts";
import type { CanaryDetector } from "../canary-detector.ts";
import type { CanaryHit } from "../secret-search.ts";
import { mayHoldToken } from "../quick/index.ts";

/**
 * The files of a Session: its output bytes and the records that point into them, each in one file or, with a capped log, in
 * several.
 */
const OUTPUT_FILE = /^output(?:\.(\d+)-\d+-\d+)?\.bin$/;
const EVENTS_FILE = /^events(?:\.(\d+)-\d+-\d+)?\.jsonl$/;
/** The manifest: it shows that there was a Session, but contains none of its output. */
const MANIFEST = "session.json";
/** The size of a window, which is read at once; between two windows the work can be cancelled. */
const WINDOW_BYTES = 256 * 1024;
/** The overlap of windows: a secret that crosses the end of a window or of a file is found whole in the next window. */
const OVERLAP_BYTES = 32 * 1024;

export type CleaningWork = "search" | "mask" | "search-and-mask";

/**
 * Searches the files of a Session that has ended for secrets of the parent, in any form (S8), masks token-shaped strings in them
 * at the same length (S18), or does both. With `search-and-mask`, a hit empties the Session. `signal` aborts between two windows.
 *
 * Reads and writes are synchronous, because a window is processed in less time than a message to one of Node's threads takes.
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
  // The other files show the unmasked output. They are a cache, and screenshots can be rendered again.
  if (isMasked) removeAllBut(directory, [MANIFEST, ...output, ...events]);
  return null;
}

/** Removes all output of a Session; its manifest still shows that there was a Session. */
export function emptySession(directory: string): void {
  removeAllBut(directory, [MANIFEST]);
}

/** Returns the names of the output files and of the record files, each in order. */
export function logFilesOf(directory: string): [output: string[], events: string[]] {
  const names = readdirSync(directory);
  return [inOrder(names, OUTPUT_FILE), inOrder(names, EVENTS_FILE)];
}

/** Returns the size of the Session's logs in bytes. */
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

/** The end of the previous window, which is searched and masked again together with the next window. */
interface Piece {
  name: string;
  /** The offset of the piece in the file of that name. */
  at: number;
  bytes: Buffer;
}

/** Processes the bytes of several files as one stream, and keeps the last part of each window for the next one. */
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

/** Reused for every window. */
const windowBuffer = Buffer.allocUnsafeSlow(OVERLAP_BYTES + WINDOW_BYTES);

/** Masks token-shaped strings in place, in bytes that are read as latin1. Returns whether there was one. */
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
