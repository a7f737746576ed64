import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { Home } from "../home/index.ts";
import { readLastSeq } from "../log/index.ts";
import { appendArtifact } from "./artifact-index.ts";
import type { RecordingExport, RecordingOptions } from "./export-file.ts";
import { exportRecording, type RecordingFormat, type RecordingLook } from "./recording.ts";

const EXTENSIONS: Readonly<Record<RecordingFormat, string>> = {
  asciicast: "cast",
  gif: "gif",
  svg: "svg",
  html: "html",
  webm: "webm",
};

/** Writes a recording to the Session's artifacts and adds it to the artifact index. Rejects as `exportRecording` does. */
export async function captureRecording(
  home: Home,
  sessionId: string,
  options: RecordingOptions & RecordingLook,
): Promise<RecordingExport> {
  await home.readManifest(sessionId);
  const session = home.sessionDirectory(sessionId);
  const directory = join(session, "artifacts");
  const id = home.ids.ulid();
  const file = `recording-${id}.${EXTENSIONS[options.format]}`;
  const path = join(directory, file);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const { lastSeq: capturedAtSeq } = await readLastSeq(session);
  const written = await exportRecording(home, sessionId, path, options);
  await appendArtifact(home, directory, {
    id,
    type: "recording",
    file,
    capturedAtSeq,
    createdAt: new Date(home.clock.nowMs()).toISOString(),
    sha256: await sha256Of(path),
    sizeBytes: written.sizeBytes,
  });
  return written;
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex");
}
