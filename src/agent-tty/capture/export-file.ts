import { open, rename, rm } from "node:fs/promises";
import { type Home, PRIVATE_FILE_MODE } from "../home/index.ts";
import { messageOf, OperationalError } from "../kit/index.ts";
import type { LogDamage } from "../log/index.ts";
import type { CaptureErrorCode } from "./ffmpeg.ts";
import type { CastTiming } from "./timing.ts";

/** Lines are written together: one write each would be most of the time of a large export. */
const WRITE_BYTES = 256 * 1024;

export interface RecordingOptions {
  /** Default `recorded`: every gap as it was. */
  timing?: CastTiming;
  onDamage?: (damage: LogDamage) => void;
  signal?: AbortSignal;
}

export interface RecordingExport {
  path: string;
  sizeBytes: number;
  durationMs: number;
}

/** Runs `write` on a file beside `path` that takes its name only when it is whole. Rejects with EXPORT_FAILED. */
export async function exportFile(
  home: Home,
  target: { sessionId: string; path: string },
  write: (temporary: string) => Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  const temporary = `${target.path}.${home.ids.hex(4)}.tmp`;
  try {
    await write(temporary);
    await rename(temporary, target.path);
  } catch (error) {
    await rm(temporary, { force: true });
    signal?.throwIfAborted();
    if (error instanceof OperationalError) throw error;
    throw new OperationalError<CaptureErrorCode>({
      code: "EXPORT_FAILED",
      message: `cannot write the recording of Session ${target.sessionId} to ${target.path}: ${messageOf(error)}`,
      remedy: "check that the directory exists, is writable and has space",
      details: { path: target.path },
      cause: error,
    });
  }
}

/** Does the same as `exportFile` with content that is produced while it is written. Resolves with its size. */
export async function exportChunks(
  home: Home,
  target: { sessionId: string; path: string },
  chunks: AsyncIterable<string | Uint8Array>,
  signal?: AbortSignal,
): Promise<{ sizeBytes: number }> {
  let sizeBytes = 0;
  await exportFile(
    home,
    target,
    async (temporary) => {
      await using file = await open(temporary, "wx", PRIVATE_FILE_MODE);
      for await (const batch of batched(chunks)) {
        signal?.throwIfAborted();
        await file.appendFile(batch);
        sizeBytes += batch.byteLength;
      }
    },
    signal,
  );
  return { sizeBytes };
}

async function* batched(chunks: AsyncIterable<string | Uint8Array>): AsyncGenerator<Buffer> {
  let [held, heldBytes]: [Buffer[], number] = [[], 0];
  for await (const chunk of chunks) {
    const bytes = Buffer.from(chunk as Uint8Array);
    held.push(bytes);
    heldBytes += bytes.byteLength;
    if (heldBytes < WRITE_BYTES) continue;
    yield Buffer.concat(held);
    [held, heldBytes] = [[], 0];
  }
  if (heldBytes > 0) yield Buffer.concat(held);
}
