import { stat } from "node:fs/promises";
import { listSegments, segmentPaths } from "./log-segments.ts";

/**
 * Returns how many bytes of output follow an offset in the Event Log. The offset counts as in `output` records, and a dropped
 * middle does not count. Returns 0 for a missing log.
 */
export async function outputBytesAfter(directory: string, offset: number): Promise<number> {
  let bytes = 0;
  for (const segment of await listSegments(directory)) {
    const { size } = await stat(segmentPaths(directory, segment).output).catch(() => ({ size: 0 }));
    bytes += Math.max(0, size - Math.max(0, offset - segment.outputStart));
  }
  return bytes;
}
