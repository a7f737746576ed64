import { type FileHandle, open, readFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod/mini";
import { type Home, PRIVATE_FILE_MODE, withFileLock } from "../home/index.ts";

const artifactSchema = z.object({
  id: z.string(),
  type: z.enum(["snapshot", "screenshot", "recording"]),
  file: z.string().check(z.regex(/^[\w.-]+$/)),
  capturedAtSeq: z.int().check(z.nonnegative()),
  createdAt: z.string(),
  sha256: z.string(),
  sizeBytes: z.int(),
});

export type Artifact = z.infer<typeof artifactSchema>;

const CLOSING = "\n]\n";

/**
 * Adds an entry to `manifest.json`, a JSON array with one entry per line, without rewriting the rest. A file lock makes
 * concurrent writers wait.
 */
export async function appendArtifact(home: Home, directory: string, artifact: Artifact): Promise<void> {
  const path = join(directory, "manifest.json");
  await withFileLock(home, `${path}.lock`, () => appendEntry(path, JSON.stringify(artifact)));
}

async function appendEntry(path: string, entry: string): Promise<void> {
  const file = await open(path, "r+").catch(() => open(path, "wx+", PRIVATE_FILE_MODE));
  try {
    const { size } = await file.stat();
    const end = await closingOffset(file, size);
    const separator = end === null ? (size === 0 ? "[\n" : "\n") : ",\n";
    await file.write(`${separator}${entry}${CLOSING}`, end ?? size);
  } finally {
    await file.close();
  }
}

/** Returns every complete entry, oldest first, and skips an incomplete one. */
export async function readArtifacts(directory: string): Promise<Artifact[]> {
  const text = await readFile(join(directory, "manifest.json"), "utf8").catch(() => "");
  return text.split("\n").flatMap((line) => {
    try {
      const parsed = artifactSchema.safeParse(JSON.parse(line.replace(/,$/, "")));
      return parsed.success ? [parsed.data] : [];
    } catch {
      return [];
    }
  });
}

async function closingOffset(file: FileHandle, size: number): Promise<number | null> {
  if (size < CLOSING.length) return null;
  const tail = Buffer.alloc(CLOSING.length);
  await file.read(tail, 0, tail.byteLength, size - tail.byteLength);
  return tail.toString("utf8") === CLOSING ? size - tail.byteLength : null;
}
