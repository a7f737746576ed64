import { type FileHandle, open, stat } from "node:fs/promises";
import { join } from "node:path";
import type { LogPosition } from "./event-log-writer.ts";

const MAGIC = 0x4b435441;
/** Magic and body length (32 bits each), sequence, sizes of events.jsonl and output.bin (doubles). */
const HEADER_BYTES = 32;
const MAX_BODY_BYTES = 256 * 1024 * 1024;

/** A screen in `checkpoints.bin`: what it shows after `seq`, the place in the Event Log at which replay goes on. */
export interface CheckpointFrame extends LogPosition {
  body: { offset: number; sizeBytes: number };
}

export function checkpointPath(directory: string): string {
  return join(directory, "checkpoints.bin");
}

export function encodeCheckpoint(position: LogPosition, body: Uint8Array): Buffer[] {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt32LE(MAGIC, 0);
  header.writeUInt32LE(body.byteLength, 4);
  header.writeDoubleLE(position.seq, 8);
  header.writeDoubleLE(position.eventsBytes, 16);
  header.writeDoubleLE(position.outputBytes, 24);
  return [header, Buffer.from(body.buffer, body.byteOffset, body.byteLength)];
}

/**
 * The checkpoints up to `toSeq`, latest first. The file is a cache of what the Event Log says: one that is missing or
 * torn, or that points behind the end of a torn Event Log, is passed over.
 */
export async function findCheckpoints(directory: string, toSeq: number): Promise<CheckpointFrame[]> {
  const file = await open(checkpointPath(directory), "r").catch(() => null);
  if (file === null) return [];
  await using checkpoints = file;
  const [events, output] = await Promise.all([
    sizeOf(join(directory, "events.jsonl")),
    sizeOf(join(directory, "output.bin")),
  ]);
  const frames = await readFrames(checkpoints);
  return frames
    .filter((frame) => frame.seq <= toSeq && frame.eventsBytes <= events && frame.outputBytes <= output)
    .toReversed();
}

/** Before an Event Log goes on at `end`: what is torn, or stands for a part that was cut off, must not be believed later. */
export async function trimCheckpoints(directory: string, end: LogPosition): Promise<void> {
  const file = await open(checkpointPath(directory), "r+").catch(() => null);
  if (file === null) return;
  await using checkpoints = file;
  const frames = await readFrames(checkpoints);
  const kept = frames.findLast((frame) => frame.seq <= end.seq && frame.eventsBytes <= end.eventsBytes);
  await checkpoints.truncate(kept === undefined ? 0 : kept.body.offset + kept.body.sizeBytes);
}

export async function readCheckpoint(directory: string, { body }: CheckpointFrame): Promise<Buffer> {
  await using file = await open(checkpointPath(directory), "r");
  const bytes = Buffer.allocUnsafeSlow(body.sizeBytes);
  const { bytesRead } = await file.read(bytes, 0, body.sizeBytes, body.offset);
  return bytes.subarray(0, bytesRead);
}

async function readFrames(file: FileHandle): Promise<CheckpointFrame[]> {
  const frames: CheckpointFrame[] = [];
  const header = Buffer.alloc(HEADER_BYTES);
  const { size } = await file.stat();
  for (let at = 0; at + HEADER_BYTES <= size;) {
    await file.read(header, 0, HEADER_BYTES, at);
    const sizeBytes = header.readUInt32LE(4);
    const end = at + HEADER_BYTES + sizeBytes;
    if (header.readUInt32LE(0) !== MAGIC || sizeBytes > MAX_BODY_BYTES || end > size) break;
    frames.push({
      seq: header.readDoubleLE(8),
      eventsBytes: header.readDoubleLE(16),
      outputBytes: header.readDoubleLE(24),
      body: { offset: at + HEADER_BYTES, sizeBytes },
    });
    at = end;
  }
  return frames;
}

async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}
