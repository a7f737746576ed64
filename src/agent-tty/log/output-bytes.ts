import { stat } from "node:fs/promises";
import { listSegments, segmentPaths } from "./log-segments.ts";

/**
 * Returns how many bytes of output follow this offset for a reader of the Event Log, counted as `output` records count them,
 * without a dropped middle. Returns 0 for a missing log.
 */
export async function outputBytesAfter(directory: string, offset: number): Promise<number> {
  let bytes = 0;
  for (const segment of await listSegments(directory)) {
    const { size } = await stat(segmentPaths(directory, segment).output).catch(() => ({ size: 0 }));
    bytes += Math.max(0, size - Math.max(0, offset - segment.outputStart));
  }
  return bytes;
}
