import { type FileHandle, open, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { maskSecrets } from "../../github/index.ts";
import type { CanaryDetector, CanaryHit } from "./canary-detector.ts";

/** What a Session wrote down, its records and the bytes they point into: each in one file, or in several of a capped log. */
const LOG_FILES = [/^output(?:\.(\d+)-\d+-\d+)?\.bin$/, /^events(?:\.(\d+)-\d+-\d+)?\.jsonl$/];
/** Says that there was a Session, and nothing of what it showed. */
const MANIFEST = "session.json";
/** So little at a time that the event loop is free again within a few hundredths of a second. */
const WINDOW_BYTES = 128 * 1024;
/** A secret that lies across the end of a window, or of a file, is seen whole in the next one. */
const OVERLAP_BYTES = 32 * 1024;

/** S8: whether the files of a Session that has ended hold a secret of the parent, in whatever form. Changes nothing. */
export async function searchSession(directory: string, canaries: CanaryDetector): Promise<CanaryHit | null> {
  const names = await readdir(directory);
  for (const pattern of LOG_FILES) {
    const { hit } = await cleanFiles(directory, inOrder(names, pattern), { canaries, masks: false });
    if (hit !== null) return hit;
  }
  return null;
}

/**
 * The files of a Session that has ended, without secrets. Token-shaped strings are masked where they stand, at the same
 * length, so that the Event Log still replays (S18). When a secret of the parent is in it, in whatever form, everything
 * that the Session showed goes, and the hit says so (S8).
 */
export async function cleanSession(directory: string, canaries: CanaryDetector): Promise<CanaryHit | null> {
  const names = await readdir(directory);
  let isMasked = false;
  for (const pattern of LOG_FILES) {
    const found = await cleanFiles(directory, inOrder(names, pattern), { canaries, masks: true });
    if (found.hit !== null) {
      await removeAllBut(directory, [MANIFEST]);
      return found.hit;
    }
    isMasked ||= found.isMasked;
  }
  // Screens of the unmasked output; they are a cache, and pictures are drawn anew.
  const kept = LOG_FILES.flatMap((pattern) => inOrder(names, pattern));
  if (isMasked) await removeAllBut(directory, [MANIFEST, ...kept]);
  return null;
}

/** Takes away all that a Session showed; its manifest still says that there was one. */
export async function emptySession(directory: string): Promise<void> {
  await removeAllBut(directory, [MANIFEST]);
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
async function cleanFiles(
  directory: string,
  names: readonly string[],
  { canaries, masks }: { canaries: CanaryDetector; masks: boolean },
): Promise<{ hit: CanaryHit | null; isMasked: boolean }> {
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
      const hit = canaries.findInBytes(Buffer.from(text, "latin1"));
      if (hit !== null) return { hit, isMasked };
      await setImmediate();
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
