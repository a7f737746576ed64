import { type FileHandle, open } from "node:fs/promises";
import { isDeepStrictEqual } from "node:util";
import type { LogPosition } from "./event-log-writer.ts";
import { sizeOf } from "./last-seq.ts";
import { HEAD, listSegments, type LogSegment, segmentPaths } from "./log-segments.ts";

const MAGIC = 0x4b435441;
/** Magic and body length (32 bits each), sequence, sizes of events.jsonl and output.bin (doubles). */
const HEADER_BYTES = 32;
const MAX_BODY_BYTES = 256 * 1024 * 1024;

/**
 * A screen in the checkpoints of a segment: what the screen shows after `seq`, and the position in the Event Log at which replay
 * continues.
 */
export interface CheckpointFrame extends LogPosition {
  body: { path: string; offset: number; sizeBytes: number };
}

/** Returns the path of the checkpoint file that belongs to a segment of an Event Log. */
export function checkpointPath(directory: string, segment: LogSegment = HEAD): string {
  return segmentPaths(directory, segment).checkpoints;
}

/**
 * Returns one checkpoint as it is appended to the file: a header with its position in the Event Log, then the body, which is not
 * copied.
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
 * Returns the checkpoints up to `toSeq`, latest first. The file is a cache of the Event Log: a checkpoint that is missing or
 * incomplete, or that points behind the end of a truncated Event Log, is skipped.
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

/**
 * Removes checkpoints that are incomplete or belong to a part of the Event Log that was cut off, because they must not be used
 * later. Call it before an Event Log continues at `end`.
 */
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
  await checkpoints.truncate(kept === undefined ? 0 : endOf(kept));
}

/**
 * Returns the body of a checkpoint; it is shorter than its header says if the file was cut in the meantime. Rejects if the file
 * cannot be opened.
 */
export async function readCheckpoint({ body }: CheckpointFrame): Promise<Buffer> {
  await using file = await open(body.path, "r");
  const bytes = Buffer.allocUnsafeSlow(body.sizeBytes);
  const { bytesRead } = await file.read(bytes, 0, body.sizeBytes, body.offset);
  return bytes.subarray(0, bytesRead);
}

/** The frames of the files that were read last. They can be reused, because a file only grows until a restart trims it. */
const known = new Map<string, readonly CheckpointFrame[]>();
const MAX_KNOWN_FILES = 32;

async function framesIn(path: string): Promise<readonly CheckpointFrame[]> {
  const file = await open(path, "r").catch(() => null);
  if (file === null) return [];
  await using checkpoints = file;
  const frames = await readFrames(checkpoints, path, known.get(path));
  known.delete(path);
  known.set(path, frames);
  const [oldest] = known.keys();
  if (known.size > MAX_KNOWN_FILES && oldest !== undefined) known.delete(oldest);
  return frames;
}

/** Returns the frames in the file. It continues after the known frames if the last of them is still in the file. */
async function readFrames(
  file: FileHandle,
  path: string,
  before: readonly CheckpointFrame[] = [],
): Promise<readonly CheckpointFrame[]> {
  const { size } = await file.stat();
  const last = before.at(-1);
  const again =
    last === undefined ? null : await readFrame(file, path, last.body.offset - HEADER_BYTES, size);
  const isSame = again !== null && last !== undefined && isDeepStrictEqual(again, last);
  const frames = isSame ? [...before] : [];
  for (let at = isSame ? endOf(again) : 0; ;) {
    const frame = await readFrame(file, path, at, size);
    if (frame === null) return frames;
    frames.push(frame);
    at = endOf(frame);
  }
}

/** Returns the frame at this byte of a file of `size` bytes, or null if no complete frame begins there. */
async function readFrame(
  file: FileHandle,
  path: string,
  at: number,
  size: number,
): Promise<CheckpointFrame | null> {
  if (at + HEADER_BYTES > size) return null;
  const header = Buffer.alloc(HEADER_BYTES);
  await file.read(header, 0, HEADER_BYTES, at);
  const sizeBytes = header.readUInt32LE(4);
  const isWhole = sizeBytes <= MAX_BODY_BYTES && at + HEADER_BYTES + sizeBytes <= size;
  if (header.readUInt32LE(0) !== MAGIC || !isWhole) return null;
  return {
    seq: header.readDoubleLE(8),
    eventsBytes: header.readDoubleLE(16),
    outputBytes: header.readDoubleLE(24),
    body: { path, offset: at + HEADER_BYTES, sizeBytes },
  };
}

function endOf({ body }: CheckpointFrame): number {
  return body.offset + body.sizeBytes;
}
