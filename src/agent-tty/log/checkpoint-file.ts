import { type FileHandle, open, stat } from "node:fs/promises";
import type { LogPosition } from "./event-log-writer.ts";
import { HEAD, listSegments, type LogSegment, segmentPaths } from "./log-segments.ts";

const MAGIC = 0x4b435441;
/** Magic and body length (32 bits each), sequence, sizes of events.jsonl and output.bin (doubles). */
const HEADER_BYTES = 32;
const MAX_BODY_BYTES = 256 * 1024 * 1024;

/** A screen in the checkpoints of a segment: what it shows after `seq`, the place in the Event Log at which replay goes on. */
export interface CheckpointFrame extends LogPosition {
  body: { path: string; offset: number; sizeBytes: number };
}

/** The path of the checkpoint file that belongs to a segment of an Event Log. */
export function checkpointPath(directory: string, segment: LogSegment = HEAD): string {
  return segmentPaths(directory, segment).checkpoints;
}

/**
 * One checkpoint as it is appended to the file: a header with its position in the Event Log, then the body, which is
 * not copied.
 */
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
  const segments = await listSegments(directory);
  const last = segments.at(-1) ?? HEAD;
  const paths = segmentPaths(directory, last);
  const [events, output] = [
    last.eventsStart + (await sizeOf(paths.events)),
    last.outputStart + (await sizeOf(paths.output)),
  ];
  const frames = await Promise.all(
    segments.map((segment) => framesIn(segmentPaths(directory, segment).checkpoints)),
  );
  return frames
    .flat()
    .filter((frame) => frame.seq <= toSeq && frame.eventsBytes <= events && frame.outputBytes <= output)
    .toReversed();
}

/** Before an Event Log goes on at `end`: what is torn, or stands for a part that was cut off, must not be believed later. */
export async function trimCheckpoints(
  directory: string,
  end: LogPosition,
  segment: LogSegment,
): Promise<void> {
  const path = checkpointPath(directory, segment);
  const file = await open(path, "r+").catch(() => null);
  if (file === null) return;
  await using checkpoints = file;
  const frames = await readFrames(checkpoints, path);
  const kept = frames.findLast((frame) => frame.seq <= end.seq && frame.eventsBytes <= end.eventsBytes);
  await checkpoints.truncate(kept === undefined ? 0 : kept.body.offset + kept.body.sizeBytes);
}

/**
 * The body of a checkpoint; shorter than its header says if the file was cut meanwhile. Rejects when the file cannot be
 * opened.
 */
export async function readCheckpoint({ body }: CheckpointFrame): Promise<Buffer> {
  await using file = await open(body.path, "r");
  const bytes = Buffer.allocUnsafeSlow(body.sizeBytes);
  const { bytesRead } = await file.read(bytes, 0, body.sizeBytes, body.offset);
  return bytes.subarray(0, bytesRead);
}

async function framesIn(path: string): Promise<CheckpointFrame[]> {
  const file = await open(path, "r").catch(() => null);
  if (file === null) return [];
  await using checkpoints = file;
  return await readFrames(checkpoints, path);
}

async function readFrames(file: FileHandle, path: string): Promise<CheckpointFrame[]> {
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
      body: { path, offset: at + HEADER_BYTES, sizeBytes },
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
