import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { unreadable } from "../home/index.ts";
import type { EventRecord } from "./event-record.ts";
import { listSegments, segmentAt, segmentPaths } from "./log-segments.ts";
import { OutputReader } from "./output-reader.ts";
import { parseRecord } from "./parse-record.ts";

/** A record with the output bytes it refers to (empty for other records). */
export interface LoggedEvent {
  record: EventRecord;
  bytes: Buffer;
  /** Byte offset in all events after this record: a later reader may continue here. */
  endOffset: number;
}

/**
 * The damage that a reader had to skip; reading continues after it. `line`: counted from 1; null if the reading began at a
 * checkpoint, so that the lines before it were not counted.
 */
export type LogDamage =
  | { type: "torn-tail"; line: number | null; lostBytes: number }
  | { type: "bad-record"; line: number | null; reason: string }
  | { type: "missing-output"; seq: number; lostBytes: number };

export interface ReadEventsOptions {
  /** Both ends included. */
  fromSeq?: number;
  toSeq?: number;
  /** Byte offset in all events at which a line starts, from `EventLogWriter.positionBefore`. */
  startOffset?: number;
  /** false: output bytes are not read, and `bytes` is empty (default true). */
  readsOutput?: boolean;
  /** Only records of this type. They are found without parsing the others, so damage in the others is not reported. */
  only?: EventRecord["type"];
  onDamage?: (damage: LogDamage) => void;
}

/** A longer line cannot be a valid record; it is skipped without being buffered. */
const MAX_LINE_BYTES = 8 * 1024 * 1024;
const NO_BYTES = Buffer.alloc(0);

/** Streams the Event Log of a Session directory in order, with bounded memory. Rejects with SESSION_UNREADABLE. */
export async function* readEvents(
  directory: string,
  options: ReadEventsOptions = {},
): AsyncGenerator<LoggedEvent, void, undefined> {
  const { fromSeq = 1, toSeq = Number.MAX_SAFE_INTEGER, readsOutput = true } = options;
  const report = options.onDamage ?? (() => undefined);
  await using output = await OutputReader.open(directory);
  const { startOffset = 0, only } = options;
  for await (const { record, endOffset } of readRecords(directory, { startOffset, only, report })) {
    if (record.seq > toSeq) return;
    const lastSeq = record.type === "gap" ? record.toSeq : record.seq;
    if (lastSeq < fromSeq) continue;
    yield { record, bytes: readsOutput ? await bytesOf(record, output, report) : NO_BYTES, endOffset };
  }
}

async function* readRecords(
  directory: string,
  {
    startOffset,
    only,
    report,
  }: {
    startOffset: number;
    only: EventRecord["type"] | undefined;
    report: (damage: LogDamage) => void;
  },
): AsyncGenerator<{ record: EventRecord; endOffset: number }, void, undefined> {
  const isWanted = only === undefined ? () => true : (text: string) => text.includes(`"type":"${only}"`);
  let counted = 0;
  for await (const { text, isWhole, endOffset } of readSegments(directory, startOffset)) {
    counted += 1;
    const line = startOffset === 0 ? counted : null;
    if (!isWanted(text)) continue;
    if (!isWhole) {
      report({ type: "torn-tail", line, lostBytes: Buffer.byteLength(text) });
      continue;
    }
    const record = parseRecord(text);
    if (typeof record === "string") report({ type: "bad-record", line, reason: record });
    else if (only === undefined || record.type === only) yield { record, endOffset };
  }
}

/**
 * Reads the lines of all segments. It continues with the next segment only if that existed before the current one was read,
 * because only then is the current one complete.
 */
async function* readSegments(directory: string, start: number): ReturnType<typeof readLines> {
  let segments = await listSegments(directory);
  let segment = segmentAt(segments, start, "eventsStart");
  let from = start - segment.eventsStart;
  for (;;) {
    const { index, eventsStart } = segment;
    const next = segments.find((other) => other.index > index);
    const path = segmentPaths(directory, segment).events;
    try {
      // A gap has replaced the part that was to be read.
      if (index > 0 && from > (await stat(path)).size) from = 0;
      for await (const line of readLines(path, from))
        yield { ...line, endOffset: eventsStart + line.endOffset };
    } catch (error) {
      const isDropped = index > 0 && (error as NodeJS.ErrnoException).code === "ENOENT";
      if (!isDropped) throw unreadable(path, error);
    }
    if (next === undefined) return;
    [segment, from] = [next, 0];
    segments = await listSegments(directory);
  }
}

/** Reads lines without their line end; the last one is not whole if the file does not end with a line end. */
async function* readLines(
  path: string,
  start: number,
): AsyncGenerator<{ text: string; isWhole: boolean; endOffset: number }> {
  let endOffset = start;
  let rest: Buffer = Buffer.alloc(0);
  let droppedBytes = 0;
  for await (const chunk of createReadStream(path, { start }) as AsyncIterable<Buffer>) {
    const bytes = rest.byteLength === 0 ? chunk : Buffer.concat([rest, chunk]);
    let from = 0;
    for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, from)) {
      const text = droppedBytes > 0 ? "" : bytes.toString("utf8", from, end);
      endOffset += droppedBytes + end + 1 - from;
      droppedBytes = 0;
      yield { text, isWhole: true, endOffset };
      from = end + 1;
    }
    rest = bytes.subarray(from);
    if (rest.byteLength > MAX_LINE_BYTES || droppedBytes > 0) {
      droppedBytes += rest.byteLength;
      rest = Buffer.alloc(0);
    }
  }
  if (rest.byteLength > 0) yield { text: rest.toString("utf8"), isWhole: false, endOffset };
}

async function bytesOf(
  record: EventRecord,
  output: OutputReader,
  report: (damage: LogDamage) => void,
): Promise<Buffer> {
  if (record.type !== "output") return NO_BYTES;
  const bytes = await output.read(record.offset, record.length);
  const lostBytes = record.length - bytes.byteLength;
  if (lostBytes > 0) report({ type: "missing-output", seq: record.seq, lostBytes });
  return bytes;
}
