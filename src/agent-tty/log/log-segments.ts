import { readdir } from "node:fs/promises";
import { join } from "node:path";

/** A stretch of an Event Log with files of its own, which begin at these bytes of the log as a whole. */
export interface LogSegment {
  /** 0: the beginning of the log, which is never dropped. */
  index: number;
  eventsStart: number;
  outputStart: number;
}

export const HEAD: LogSegment = { index: 0, eventsStart: 0, outputStart: 0 };

const LATER_EVENTS = /^events\.(\d{1,9})-(\d{1,15})-(\d{1,15})\.jsonl$/;

/** Paths of a segment's files. The one with the events exists only when the one with the output does. */
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

/** In order, the head first; every one but the last is whole. */
export async function listSegments(directory: string): Promise<LogSegment[]> {
  const names = await readdir(directory).catch(() => []);
  const later = names.flatMap((name) => {
    const [, index, eventsStart, outputStart] = LATER_EVENTS.exec(name) ?? [];
    if (index === undefined) return [];
    return [{ index: Number(index), eventsStart: Number(eventsStart), outputStart: Number(outputStart) }];
  });
  return [HEAD, ...later.toSorted((one, other) => one.index - other.index)];
}

/** The last segment that begins at or before a byte of the events, or of the output. */
export function segmentAt(
  segments: readonly LogSegment[],
  offset: number,
  start: "eventsStart" | "outputStart",
): LogSegment {
  return segments.findLast((segment) => segment[start] <= offset) ?? HEAD;
}
