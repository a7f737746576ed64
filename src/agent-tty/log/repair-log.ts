import { type FileHandle, open, rm } from "node:fs/promises";
import { trimCheckpoints } from "./checkpoint-file.ts";
import type { LogPosition } from "./event-log-writer.ts";
import { listSegments, type LogSegment, segmentPaths } from "./log-segments.ts";

const TAIL_BYTES = 64 * 1024;

/**
 * Removes an incomplete last line from an Event Log that no longer has a writer, and returns the position at which writing can
 * continue. Output that no record refers to is kept: later records point behind it.
 */
export async function repairLog(directory: string): Promise<LogPosition & { t: number }> {
  const segments = await listSegments(directory);
  for (const segment of segments.toReversed()) {
    const position = await repairSegment(directory, segment);
    if (position.seq === 0 && segment.index > 0) {
      // The segment was begun, but nothing was written to it.
      const { events, output, checkpoints } = segmentPaths(directory, segment);
      for (const path of [events, output, checkpoints]) await rm(path, { force: true });
      continue;
    }
    await trimCheckpoints(directory, position, segment);
    return position;
  }
  throw new Error("an Event Log without a head");
}

async function repairSegment(directory: string, segment: LogSegment): Promise<LogPosition & { t: number }> {
  const paths = segmentPaths(directory, segment);
  await using events = await open(paths.events, "r+");
  await using output = await open(paths.output, "a");
  const { size } = await events.stat();
  const { text, startBytes } = await lastLineOf(events, size);
  const end = text.lastIndexOf(0x0a) + 1;
  const eventsBytes = startBytes + end;
  if (eventsBytes < size) await events.truncate(eventsBytes);
  const last = [...text.toString("latin1", 0, end).matchAll(/^\{"seq":(\d+),"t":([\d.]+),.*\}$/gm)].at(-1);
  return {
    seq: Number(last?.[1] ?? 0),
    t: Number(last?.[2] ?? 0),
    eventsBytes: segment.eventsStart + eventsBytes,
    outputBytes: segment.outputStart + (await output.stat()).size,
  };
}

/** Returns the end of the file, from before its last complete line, which may be long. */
async function lastLineOf(
  file: FileHandle,
  sizeBytes: number,
): Promise<{ text: Buffer; startBytes: number }> {
  for (let tailBytes = TAIL_BYTES; ; tailBytes *= 4) {
    const tail = await tailOf(file, sizeBytes, tailBytes);
    const lastEnd = tail.text.lastIndexOf(0x0a);
    const hasLineBefore = lastEnd > 0 && tail.text.lastIndexOf(0x0a, lastEnd - 1) !== -1;
    if (hasLineBefore || tail.startBytes === 0) return tail;
  }
}

async function tailOf(
  file: FileHandle,
  sizeBytes: number,
  tailBytes: number,
): Promise<{ text: Buffer; startBytes: number }> {
  const text = Buffer.alloc(Math.min(tailBytes, sizeBytes));
  const startBytes = sizeBytes - text.byteLength;
  const { bytesRead } = await file.read(text, 0, text.byteLength, startBytes);
  return { text: text.subarray(0, bytesRead), startBytes };
}
