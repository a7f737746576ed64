import { type FileHandle, open, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { maskSecrets } from "../../../github/index.ts";
import type { CanaryDetector, CanaryHit } from "../canary-detector.ts";

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
 * Searches the files of a Session that has ended for secrets of the parent, in whatever form (S8), masks token-shaped strings in
 * them at the same length (S18), or both. Both: a hit empties the Session. `signal` ends it between two windows.
 */
export async function workOnSession(
  directory: string,
  canaries: CanaryDetector,
  work: CleaningWork,
  signal?: AbortSignal,
): Promise<CanaryHit | null> {
  const [output, events] = await logFilesOf(directory);
  let isMasked = false;
  for (const files of [output, events]) {
    const found = await workOnFiles(directory, files, { canaries, work, signal });
    if (found.hit !== null) {
      if (work !== "search") await emptySession(directory);
      return found.hit;
    }
    isMasked ||= found.isMasked;
  }
  // Screens of the unmasked output; they are a cache, and pictures are drawn anew.
  if (isMasked) await removeAllBut(directory, [MANIFEST, ...output, ...events]);
  return null;
}

/** Removes all that a Session showed; its manifest still says that there was one. */
export async function emptySession(directory: string): Promise<void> {
  await removeAllBut(directory, [MANIFEST]);
}

/** The names of the files of output, and of those of records, each in order. */
export async function logFilesOf(directory: string): Promise<[output: string[], events: string[]]> {
  const names = await readdir(directory);
  return [inOrder(names, OUTPUT_FILE), inOrder(names, EVENTS_FILE)];
}

function inOrder(names: readonly string[], pattern: RegExp): string[] {
  const numbered = names.flatMap((name) => {
    const match = pattern.exec(name);
    return match === null ? [] : [{ name, index: Number(match[1] ?? 0) }];
  });
  return numbered.toSorted((one, other) => one.index - other.index).map(({ name }) => name);
}

/** Characters are bytes; `at` is where they begin in the file of that name. */
interface Piece {
  name: string;
  at: number;
  text: string;
}

/** The text of several files as one stream, of which the last part is kept in hand. */
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
  /** The end of what was searched, with where it stands. */
  let before: Piece | null = null;
  for (const name of names) {
    await using file = await open(join(directory, name), masks ? "r+" : "r");
    for (let at = 0; ;) {
      const buffer = Buffer.allocUnsafe(WINDOW_BYTES);
      const { bytesRead } = await file.read(buffer, 0, WINDOW_BYTES, at);
      if (bytesRead === 0) break;
      const piece: Piece = { name, at, text: buffer.toString("latin1", 0, bytesRead) };
      const text = (before?.text ?? "") + piece.text;
      const hit = searches ? canaries.findInBytes(Buffer.from(text, "latin1")) : null;
      if (hit !== null) return { hit, isMasked };
      const masked = masks ? maskSecrets(text) : text;
      if (masked !== text) {
        isMasked = true;
        piece.text = masked.slice(-bytesRead);
        await writePiece(file, piece);
        if (before !== null) {
          await using earlier = await open(join(directory, before.name), "r+");
          await writePiece(earlier, { ...before, text: masked.slice(0, before.text.length) });
        }
      }
      at += bytesRead;
      before = { name, at: at - Math.min(OVERLAP_BYTES, bytesRead), text: piece.text.slice(-OVERLAP_BYTES) };
      await setImmediate();
      signal?.throwIfAborted();
    }
  }
  return { hit: null, isMasked };
}

async function writePiece(file: FileHandle, { text, at }: Piece): Promise<void> {
  await file.write(Buffer.from(text, "latin1"), 0, text.length, at);
}

async function removeAllBut(directory: string, kept: readonly string[]): Promise<void> {
  for (const name of await readdir(directory)) {
    if (!kept.includes(name)) await rm(join(directory, name), { recursive: true, force: true });
  }
}
