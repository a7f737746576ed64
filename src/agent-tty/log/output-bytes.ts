import { stat } from "node:fs/promises";
import { listSegments, segmentPaths } from "./log-segments.ts";

/**
 * The bytes of output that a reader of the Event Log has before it at this offset, as `output` records carry it: a middle that was
 * dropped is not among them. 0 for a log that is missing.
 */
export async function outputBytesAfter(directory: string, offset: number): Promise<number> {
  let bytes = 0;
  for (const segment of await listSegments(directory)) {
    const { size } = await stat(segmentPaths(directory, segment).output).catch(() => ({ size: 0 }));
    bytes += Math.max(0, size - Math.max(0, offset - segment.outputStart));
  }
  return bytes;
}
