import { readFileSync } from "node:fs";
import { unreadable } from "./home-error.ts";
import { manifestSchema, type SessionManifest } from "./manifest.ts";
import { sessionLiveness } from "./session-liveness.ts";

/**
 * null when there is none. Synchronous: manifests are small, and a thousand of them are read in a fraction of the time.
 * Throws SESSION_UNREADABLE.
 */
export function readManifestFile(path: string): SessionManifest | null {
  const raw = readRawManifest(path);
  return raw === null ? null : withHostLoss(raw);
}

/** As it was last written, also when its host died since. Throws SESSION_UNREADABLE. */
function readRawManifest(path: string): SessionManifest | null {
  try {
    return manifestSchema.parse(JSON.parse(readFileSync(path, "utf8")));
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
