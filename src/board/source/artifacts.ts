import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { basename } from "node:path";
import type { Artifact } from "../server/index.ts";
import { type ArtifactKind, artifactMediaTypes, type RunDocument } from "../api/index.ts";
import type { EvidenceKind, RunEvidence } from "../../home/index.ts";

type FoundFile = RunEvidence["files"][number];

function kindOf(kind: EvidenceKind): ArtifactKind {
  switch (kind) {
    case "verification recording":
      return "verification-recording";
    case "verification screenshot":
      return "verification-screenshot";
    default:
      return kind;
  }
}

/** Returns the artifacts that can be downloaded; evidence that is not a regular file is omitted. */
export async function listArtifacts(files: readonly FoundFile[]): Promise<RunDocument["artifacts"]> {
  const found: RunDocument["artifacts"] = [];
  for (const { kind, path } of files) {
    const opened = await openRegular(path);
    if (opened === null) continue;
    const { size: sizeBytes } = await opened.stat();
    await opened.close();
    found.push({ kind: kindOf(kind), sizeBytes, mediaType: artifactMediaTypes[kindOf(kind)] });
  }
  return found;
}

/** Opens an artifact; null: the run left none. Its size is that at the time of opening, so a growing recording is cut there. */
export async function openArtifact(
  files: readonly FoundFile[],
  kind: ArtifactKind,
): Promise<Artifact | null> {
  const found = files.find((file) => kindOf(file.kind) === kind);
  const file = found === undefined ? null : await openRegular(found.path);
  if (found === undefined || file === null) return null;
  const { size: sizeBytes } = await file.stat();
  return {
    sizeBytes,
    mediaType: artifactMediaTypes[kind],
    fileName: basename(found.path),
    bytes: bytesOf(file, sizeBytes),
    [Symbol.asyncDispose]: () => file.close(),
  };
}

/** Returns a text of at most `maxBytes`; null: there is none, or it is larger. */
export async function readText(
  files: readonly FoundFile[],
  kind: EvidenceKind,
  maxBytes: number,
): Promise<string | null> {
  const found = files.find((file) => file.kind === kind);
  const file = found === undefined ? null : await openRegular(found.path);
  if (file === null) return null;
  try {
    const { size } = await file.stat();
    return size > maxBytes ? null : await file.readFile("utf8");
  } finally {
    await file.close();
  }
}

/** Opens a regular file; null: the path is not one. It does not follow a symbolic link or block on a FIFO. */
async function openRegular(path: string): Promise<FileHandle | null> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = await open(path, flags).catch(() => null);
  if (file === null || (await file.stat()).isFile()) return file;
  await file.close();
  return null;
}

async function* bytesOf(file: FileHandle, sizeBytes: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < sizeBytes;) {
    const chunk = Buffer.alloc(Math.min(64 * 1024, sizeBytes - at));
    const { bytesRead } = await file.read(chunk, 0, chunk.byteLength, at);
    if (bytesRead === 0) return;
    at += bytesRead;
    yield chunk.subarray(0, bytesRead);
  }
}
