import { rename, rm, writeFile } from "node:fs/promises";
import { PRIVATE_FILE_MODE } from "../home/index.ts";
import { MAX_OUTPUT_RECORD_BYTES, type SessionEvent } from "./event-record.ts";
import { type LogSegment, segmentPaths } from "./log-segments.ts";

/** A segment that is being written or is kept, and what a terminal needs to continue with it. */
export interface OpenSegment extends LogSegment {
  firstSeq: number;
  /** Milliseconds since the Session's start. */
  t: number;
  /** null: no longer known. */
  screen: SegmentScreen | null;
}

/** The screen at a segment's start: its size, and bytes that reproduce it on any terminal of that size. */
export interface SegmentScreen {
  cols: number;
  rows: number;
  /** null if the segment starts in the middle of an escape sequence. */
  painting: Uint8Array | null;
}

/** The head takes the first half of the limit and is kept forever; the tail is dropped in steps of an eighth. */
const HEAD_SHARE = 1 / 2;
const STEP_SHARE = 1 / 8;
const KEPT_TAIL_STEPS = 3;

/** Returns how many bytes a segment may take before the next one begins, out of `maxBytes` for the whole log. */
export function segmentLimit(maxBytes: number, index: number): number {
  return maxBytes * (index === 0 ? HEAD_SHARE : STEP_SHARE);
}

/** The dropped middle of the Event Log: where it is and how large it is. */
export interface Gap {
  fromSeq: number;
  droppedBytes: number;
  /** The segment that the gap replaces. */
  segment: LogSegment;
}

/** Returns the oldest segment of the tail, and the one after it, if there are too many segments; otherwise null. */
export function planDrop(tail: readonly OpenSegment[]): { dropped: OpenSegment; next: OpenSegment } | null {
  const [dropped, next] = tail;
  if (dropped === undefined || next === undefined || tail.length <= KEPT_TAIL_STEPS + 1) return null;
  return { dropped, next };
}

/**
 * Replaces a segment with a gap, joined with the gap before it, and resolves with that gap. The gap consists of a record that
 * states which sequences and how many bytes are missing, and of output that shows this on any terminal and paints the screen with
 * which the log continues.
 */
export async function dropSegment(
  directory: string,
  { dropped, next }: { dropped: OpenSegment; next: OpenSegment },
  before: Gap | null,
): Promise<Gap> {
  const fromSeq = before?.fromSeq ?? dropped.firstSeq;
  const droppedBytes = (before?.droppedBytes ?? 0) + next.outputStart - dropped.outputStart;
  const bytes = shownGap(droppedBytes, next.screen?.painting ?? null);
  const [lastSeq, t] = [next.firstSeq - 1, next.t];
  const shown = { type: "output", offset: dropped.outputStart, length: bytes.byteLength } as const;
  const records: (SessionEvent & { seq: number; t: number })[] = [{ seq: lastSeq, t, ...shown }];
  if (next.screen !== null) {
    const { cols, rows } = next.screen;
    records.unshift({ seq: lastSeq - 1, t, type: "resize", cols, rows });
  }
  records.unshift({ seq: fromSeq, t, type: "gap", toSeq: lastSeq - records.length, droppedBytes });
  const paths = segmentPaths(directory, dropped);
  await replaceFile(paths.output, bytes);
  await replaceFile(paths.events, `${records.map((record) => JSON.stringify(record)).join("\n")}\n`);
  await rm(paths.checkpoints, { force: true });
  if (before !== null) {
    const old = segmentPaths(directory, before.segment);
    await rm(old.events, { force: true });
    await rm(old.output, { force: true });
  }
  return { fromSeq, droppedBytes, segment: dropped };
}

const RESET = "\x18\x1bc";

/**
 * Returns the output that shows a gap. Its note is on the first row, over the painting: later output scrolls it away or
 * overwrites it.
 */
function shownGap(droppedBytes: number, painting: Uint8Array | null): Buffer {
  const mark = `[… ${Math.round(droppedBytes / 1024 ** 2)} MiB of output were dropped here …]`;
  const shown = `\x1b7\x1b[1;1H\x1b[0;7m${mark}\x1b[0m\x1b8`;
  const parts = [Buffer.from(RESET), painting ?? Buffer.alloc(0), Buffer.from(shown)];
  const bytes = Buffer.concat(parts);
  // A screen too large for one record is left out; its checkpoint still has it.
  return bytes.byteLength <= MAX_OUTPUT_RECORD_BYTES ? bytes : Buffer.from(RESET + shown);
}

async function replaceFile(path: string, content: string | Uint8Array): Promise<void> {
  const temporary = `${path}.tmp`;
  await writeFile(temporary, content, { mode: PRIVATE_FILE_MODE });
  await rename(temporary, path);
}
