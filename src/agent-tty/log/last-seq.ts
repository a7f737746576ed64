import { open, stat } from "node:fs/promises";
import { listSegments, segmentPaths } from "./log-segments.ts";

const TAIL_BYTES = 64 * 1024;

/** Returns the last complete record's sequence (0 for an empty log) and the total size of the log's files. */
export async function readLastSeq(directory: string): Promise<{ lastSeq: number; sizeBytes: number }> {
  let [lastSeq, sizeBytes] = [0, 0];
  for (const segment of await listSegments(directory)) {
    const { events, output } = segmentPaths(directory, segment);
    const [eventsBytes, outputBytes] = await Promise.all([sizeOf(events), sizeOf(output)]);
    sizeBytes += eventsBytes + outputBytes;
    if (eventsBytes > 0) lastSeq = (await lastSeqIn(events, eventsBytes)) ?? lastSeq;
  }
  return { lastSeq, sizeBytes };
}

async function lastSeqIn(path: string, sizeBytes: number): Promise<number | null> {
  await using file = await open(path, "r");
  const tail = Buffer.alloc(Math.min(TAIL_BYTES, sizeBytes));
  await file.read(tail, 0, tail.byteLength, sizeBytes - tail.byteLength);
  const seqs = [...tail.toString("utf8").matchAll(/^\{"seq":(\d+),.*\}\n/gm)].map((match) =>
    Number(match[1]),
  );
  return seqs.at(-1) ?? null;
}

/** Returns the size of a file in bytes, or 0 if it cannot be read. */
export async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}
