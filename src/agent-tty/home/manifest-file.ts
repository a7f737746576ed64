import { closeSync, existsSync, fstatSync, openSync, readFileSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { writeFileAtomic } from "../kit/index.ts";
import { unreadable } from "./home-error.ts";
import { manifestSchema, type SessionManifest } from "./manifest.ts";
import { sessionLiveness } from "./session-liveness.ts";

/**
 * The number of spaces after a manifest. They reserve room, so that on a full disk a manifest with an exit and the reason of a
 * failure can overwrite the file in place.
 */
const ROOM_BYTES = 1_024;

/**
 * Writes a manifest. If the disk has no room for a new file, it overwrites the old one, because the reason why a Session failed
 * must be readable, above all on a full disk. Rejects with Node's error of the system call.
 */
export async function writeManifestFile(
  path: string,
  manifest: SessionManifest,
  unique: string,
): Promise<void> {
  const text = `${JSON.stringify(manifest, null, 2)}\n`;
  try {
    await writeFileAtomic(path, text + " ".repeat(ROOM_BYTES), unique);
  } catch (error) {
    if (!overwrite(path, Buffer.from(text))) throw error;
  }
}

/**
 * Overwrites the file in place. Returns false if there is no file or it is too small, because a longer file could need more of
 * the disk.
 */
function overwrite(path: string, text: Buffer): boolean {
  try {
    const file = openSync(path, "r+");
    try {
      const whole = Buffer.alloc(fstatSync(file).size, " ");
      return text.copy(whole) === text.length && writeSync(file, whole, 0, whole.length, 0) === whole.length;
    } finally {
      closeSync(file);
    }
  } catch {
    return false;
  }
}

/**
 * Returns the manifest at a path, or null if there is none. Throws SESSION_UNREADABLE. It reads synchronously, because manifests
 * are small and a thousand of them are read much faster this way.
 */
export function readManifestFile(path: string): SessionManifest | null {
  return readManifestAgain(path, null)?.manifest ?? null;
}

/** A manifest and the text that it was read from. */
export interface ReadManifest {
  text: string;
  /** The manifest as it was last written, even if its host has died since. */
  written: SessionManifest;
  manifest: SessionManifest;
}

/**
 * Returns the same as `readManifestFile`, with the text. If the text has not changed since `earlier`, it is not parsed again.
 * Throws SESSION_UNREADABLE.
 */
export function readManifestAgain(path: string, earlier: ReadManifest | null): ReadManifest | null {
  try {
    const text = readFileSync(path, "utf8");
    const written = text === earlier?.text ? earlier.written : manifestSchema.parse(JSON.parse(text));
    return { text, written, manifest: withHostLoss(written, path) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw unreadable(path, error);
  }
}

/** Returns the path of the file beside the manifest in which a host process writes the uncaught error that ended it. */
export function hostCrashPath(sessionDirectory: string): string {
  return join(sessionDirectory, "host-crash.txt");
}

/** Returns the manifest with the status `failed` if the Session is active and its host process is gone. */
function withHostLoss(manifest: SessionManifest, path: string): SessionManifest {
  if (sessionLiveness(manifest) !== "host-lost") return manifest;
  const crash = hostCrashPath(dirname(path));
  const failure = existsSync(crash)
    ? `the host process ended with an error of its own, which is in ${crash}`
    : "the host process is gone";
  return { ...manifest, status: "failed", failure };
}
