import { readFileSync } from "node:fs";
import { unreadable } from "./home-error.ts";
import { manifestSchema, type SessionManifest } from "./manifest.ts";
import { sessionLiveness } from "./session-liveness.ts";

/**
 * Reads a manifest; returns null if there is none. Synchronous, because manifests are small and a thousand of them are read much
 * faster this way. Throws SESSION_UNREADABLE.
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

/** Like `readManifestFile`; a text that has not changed since `earlier` is not parsed again. Throws SESSION_UNREADABLE. */
export function readManifestAgain(path: string, earlier: ReadManifest | null): ReadManifest | null {
  try {
    const text = readFileSync(path, "utf8");
    const written = text === earlier?.text ? earlier.written : manifestSchema.parse(JSON.parse(text));
    return { text, written, manifest: withHostLoss(written) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw unreadable(path, error);
  }
}

/** An active Session whose host process is gone has failed, whatever its manifest last said. */
function withHostLoss(manifest: SessionManifest): SessionManifest {
  if (sessionLiveness(manifest) !== "host-lost") return manifest;
  return { ...manifest, status: "failed", failure: "the host process is gone" };
}
