import { readdir } from "node:fs/promises";
import { join } from "node:path";

/** A part of an Event Log with its own files, which begin at these bytes of the whole log. */
export interface LogSegment {
  /** 0: the beginning of the log, which is never dropped. */
  index: number;
  eventsStart: number;
  outputStart: number;
}

export const HEAD: LogSegment = { index: 0, eventsStart: 0, outputStart: 0 };

const LATER_EVENTS = /^events\.(\d{1,9})-(\d{1,15})-(\d{1,15})\.jsonl$/;

/** Returns the paths of a segment's files. The events file exists only if the output file does. */
export function segmentPaths(
  directory: string,
  { index, eventsStart, outputStart }: LogSegment,
): { events: string; output: string; checkpoints: string } {
  const name = index === 0 ? "" : `.${index}-${eventsStart}-${outputStart}`;
  return {
    events: join(directory, `events${name}.jsonl`),
    output: join(directory, `output${name}.bin`),
    checkpoints: join(directory, `checkpoints${name}.bin`),
  };
}

/** Lists the segments in order, the head first; every segment except the last is complete. */
export async function listSegments(directory: string): Promise<LogSegment[]> {
  const names = await readdir(directory).catch(() => []);
  const later = names.flatMap((name) => {
    const [, index, eventsStart, outputStart] = LATER_EVENTS.exec(name) ?? [];
    if (index === undefined) return [];
    return [{ index: Number(index), eventsStart: Number(eventsStart), outputStart: Number(outputStart) }];
  });
  return [HEAD, ...later.toSorted((one, other) => one.index - other.index)];
}

/** Returns the last segment that begins at or before a byte of the events, or of the output. */
export function segmentAt(
  segments: readonly LogSegment[],
  offset: number,
  start: "eventsStart" | "outputStart",
): LogSegment {
  return segments.findLast((segment) => segment[start] <= offset) ?? HEAD;
}
