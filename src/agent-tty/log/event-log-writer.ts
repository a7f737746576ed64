import { type Clock, messageOf, OperationalError } from "../kit/index.ts";
import { BatchPace } from "./batch-pace.ts";
import { type LoggableEvent, MAX_OUTPUT_RECORD_BYTES, type SessionEvent } from "./event-record.ts";
import type { OpenSegment, SegmentScreen } from "./dropped-middle.ts";
import { LogTail } from "./log-tail.ts";
import { type LogSegment, segmentPaths } from "./log-segments.ts";
import { type LogFile, type OpenLogFile, openLogFile, reopenLogFile } from "./log-file.ts";
import { OutputBlocks } from "./output-blocks.ts";

/** Above the high mark the source must pause; below the low mark it may continue. */
const HIGH_PENDING_BYTES = 4 * 1024 * 1024;
const LOW_PENDING_BYTES = 1024 * 1024;
/** The position index has one entry per this many records, so that a range is found without reading the log from its start. */
const INDEX_EVERY = 256;

export type LogErrorCode = "EVENT_LOG_DISK_FULL" | "EVENT_LOG_FAILED";

export interface EventLogWriterOptions {
  directory: string;
  clock: Clock;
  /** false: an input record shows only that something was typed, not what (default true). */
  logsInput?: boolean;
  /** Called once if the disk refuses a write; everything appended afterwards is dropped. */
  onFailure: (error: Error) => void;
  /** Called when pending bytes fall below the low mark again. */
  onDrain: () => void;
  /** Bytes that the log's files may hold together; above that its middle is dropped. */
  maxBytes: number;
  /** Default: files on the disk. */
  openFile?: OpenLogFile;
}

/** The position of the Event Log when everything up to `seq` is in the files. */
export interface LogPosition {
  seq: number;
  eventsBytes: number;
  outputBytes: number;
}

/** Output that may still grow: it has a sequence but is not yet a line. */
interface OpenRecord {
  t: number;
  offset: number;
  length: number;
}

/**
 * The append-only Event Log of one Session (A6). Sequence numbers are assigned synchronously. Bytes reach the files in batches,
 * output before the records that refer to it, so a record never points at bytes that were not written. Output that arrives in
 * small pieces becomes one record until another event is appended, the position is read, or the record is written.
 */
export class EventLogWriter {
  readonly #options: EventLogWriterOptions;
  readonly #tail: LogTail;
  #events: LogFile;
  #output: LogFile;
  readonly #pace: BatchPace;
  readonly #startMs: number;
  readonly #positions: { seq: number; offset: number }[] = [];
  readonly #blocks = new OutputBlocks();
  #lines: string[] = [];
  /** Writes that must happen before a new segment begins. */
  #ends: { blocks: Buffer[]; lines: string[]; next: OpenSegment }[] = [];
  #open: OpenRecord | null = null;
  #pendingBytes = 0;
  #seq = 0;
  #writtenSeq = 0;
  #outputOffset = 0;
  #eventsOffset = 0;
  #writing: Promise<void> | null = null;
  #batch: Promise<void> = Promise.resolve();
  #failure: Error | null = null;

  /** Opens a new Event Log. Rejects with EVENT_LOG_DISK_FULL or EVENT_LOG_FAILED. */
  static open(options: EventLogWriterOptions): Promise<EventLogWriter> {
    const start = { seq: 0, eventsBytes: 0, outputBytes: 0, t: 0 };
    const tail = new LogTail(options.directory, options.maxBytes);
    return EventLogWriter.#openAt(options, options.openFile ?? openLogFile, start, tail);
  }

  /** Opens an Event Log that no longer has a writer, to continue at its end; see `repairLog`. */
  static async resume(
    options: EventLogWriterOptions,
    end: LogPosition & { t: number },
  ): Promise<EventLogWriter> {
    const tail = await LogTail.resume(options.directory, options.maxBytes);
    return EventLogWriter.#openAt(options, reopenLogFile, end, tail);
  }

  static async #openAt(
    options: EventLogWriterOptions,
    openFile: OpenLogFile,
    end: LogPosition & { t: number },
    tail: LogTail,
  ): Promise<EventLogWriter> {
    const { directory } = options;
    const paths = segmentPaths(directory, tail.current);
    let events: LogFile | null = null;
    try {
      events = await openFile(paths.events);
      const output = await openFile(paths.output);
      return new EventLogWriter(options, { events, output, tail }, end);
    } catch (error) {
      await events?.close();
      throw writeFailed(directory, end.seq + 1, error);
    }
  }

  private constructor(
    options: EventLogWriterOptions,
    { events, output, tail }: { events: LogFile; output: LogFile; tail: LogTail },
    end: LogPosition & { t: number },
  ) {
    this.#seq = end.seq;
    this.#writtenSeq = end.seq;
    this.#eventsOffset = end.eventsBytes;
    this.#outputOffset = end.outputBytes;
    this.#options = options;
    this.#tail = tail;
    this.#events = events;
    this.#output = output;
    this.#pace = new BatchPace(options.clock);
    this.#startMs = options.clock.monotonicMs() - end.t;
  }

  /** Ends the current record: later output gets a higher sequence. */
  seal(): void {
    if (this.#open === null) return;
    const { t, offset, length } = this.#open;
    this.#open = null;
    this.#addLine(t, { type: "output", offset, length });
  }

  /** Returns the last sequence so far. Seals the record, so that later output cannot become part of this sequence. */
  lastSeq(): number {
    this.seal();
    return this.#seq;
  }

  /** Returns the last sequence, with the sizes in bytes that the files will have when it is written. */
  position(): LogPosition {
    return { seq: this.lastSeq(), eventsBytes: this.#eventsOffset, outputBytes: this.#outputOffset };
  }

  /** Returns the segment to which the next append belongs. */
  get segment(): LogSegment {
    return this.#tail.current;
  }

  isFull(): boolean {
    return this.#pendingBytes > HIGH_PENDING_BYTES;
  }

  /** Returns by how many bytes the current segment exceeds its limit; 0 if it does not. */
  overlongBytes(): number {
    return this.#tail.overlongBytes({ eventsBytes: this.#eventsOffset, outputBytes: this.#outputOffset });
  }

  /** Begins a new segment for later appends. If there are too many then, the oldest except the head is dropped. */
  startSegment(screen: SegmentScreen): LogSegment {
    const { seq, eventsBytes, outputBytes } = this.position();
    const place = { eventsStart: eventsBytes, outputStart: outputBytes };
    const next = this.#tail.begin({ ...place, firstSeq: seq + 1, t: this.#nowMs(), screen });
    this.#ends.push({ blocks: this.#blocks.take(), lines: this.#lines, next });
    this.#lines = [];
    this.#pendingBytes += 1;
    this.#write();
    return next;
  }

  append(event: LoggableEvent): number {
    this.seal();
    this.#seq += 1;
    this.#addLine(this.#nowMs(), this.#options.logsInput === false ? withoutInput(event) : event);
    this.#write();
    return this.#seq;
  }

  /** Appends output and returns the sequence of the last record that contains some of it. The bytes are copied. */
  appendOutput(bytes: Uint8Array): number {
    for (let from = 0; from < bytes.byteLength;) {
      this.#open ??= this.#openRecord();
      const piece = bytes.subarray(from, from + MAX_OUTPUT_RECORD_BYTES - this.#open.length);
      this.#blocks.add(piece);
      this.#open.length += piece.byteLength;
      this.#outputOffset += piece.byteLength;
      this.#pendingBytes += piece.byteLength;
      from += piece.byteLength;
      if (this.#open.length === MAX_OUTPUT_RECORD_BYTES) this.seal();
    }
    this.#write();
    return this.#seq;
  }

  /** Resolves when everything appended so far is in the files. Rejects if the disk has refused a write. */
  async flush(): Promise<void> {
    const seq = this.lastSeq();
    while (this.#writing !== null && this.#writtenSeq < seq) {
      this.#pace.hurry();
      await this.#batch.catch(() => undefined);
    }
    if (this.#failure !== null) throw this.#failure;
  }

  /** Returns the offset in events.jsonl, in bytes, at which a reader may start to find `seq`. */
  positionBefore(seq: number): number {
    return this.#positions.findLast((position) => position.seq <= seq)?.offset ?? 0;
  }

  async close(): Promise<void> {
    await this.flush().catch(() => undefined);
    await Promise.allSettled([this.#events.close(), this.#output.close()]);
  }

  #openRecord(): OpenRecord {
    this.#seq += 1;
    return { t: this.#nowMs(), offset: this.#outputOffset, length: 0 };
  }

  #addLine(t: number, event: SessionEvent): void {
    const line = `${JSON.stringify({ seq: this.#seq, t, ...event })}\n`;
    const isNextInIndex = this.#seq - (this.#positions.at(-1)?.seq ?? -INDEX_EVERY) >= INDEX_EVERY;
    if (isNextInIndex) this.#positions.push({ seq: this.#seq, offset: this.#eventsOffset });
    const sizeBytes = Buffer.byteLength(line);
    this.#eventsOffset += sizeBytes;
    this.#pendingBytes += sizeBytes;
    this.#lines.push(line);
  }

  #nowMs(): number {
    return Math.round((this.#options.clock.monotonicMs() - this.#startMs) * 1000) / 1000;
  }

  #write(): void {
    if (this.#failure !== null) this.#drop();
    else this.#writing ??= this.#writeAll();
    this.#pace.pendingBytes(this.#pendingBytes);
  }

  async #writeAll(): Promise<void> {
    // Write one turn later, so that what arrives together is written together.
    await Promise.resolve();
    try {
      while (this.#pendingBytes > 0) {
        this.#batch = this.#writeBatch();
        await this.#batch;
      }
    } catch (error) {
      this.#failure = writeFailed(this.#options.directory, this.#writtenSeq + 1, error);
      this.#drop();
      this.#options.onFailure(this.#failure);
    } finally {
      this.#writing = null;
    }
  }

  async #writeBatch(): Promise<void> {
    await this.#pace.next();
    this.seal();
    const [ends, blocks, lines, seq, batchBytes] = [
      this.#ends,
      this.#blocks.take(),
      this.#lines,
      this.#seq,
      this.#pendingBytes,
    ];
    [this.#ends, this.#lines] = [[], []];
    for (const end of ends) {
      await this.#writeFiles(end.blocks, end.lines);
      await this.#goOnIn(end.next);
    }
    await this.#writeFiles(blocks, lines);
    this.#writtenSeq = seq;
    const wasHigh = this.#pendingBytes > LOW_PENDING_BYTES;
    this.#pendingBytes -= batchBytes;
    if (wasHigh && this.#pendingBytes <= LOW_PENDING_BYTES) this.#options.onDrain();
  }

  async #writeFiles(blocks: Buffer[], lines: readonly string[]): Promise<void> {
    if (blocks.length > 0) await this.#output.append(blocks);
    if (lines.length > 0) await this.#events.append([Buffer.from(lines.join(""))]);
    this.#blocks.reuse(blocks);
  }

  async #goOnIn(next: OpenSegment): Promise<void> {
    const paths = segmentPaths(this.#options.directory, next);
    const openFile = this.#options.openFile ?? openLogFile;
    const output = await openFile(paths.output);
    const events = await openFile(paths.events).catch(async (error: unknown) => {
      await output.close();
      throw error;
    });
    const before = [this.#events, this.#output];
    [this.#events, this.#output] = [events, output];
    await Promise.all(before.map((file) => file.close()));
    const firstKept = await this.#tail.dropTooMany(next);
    while ((this.#positions[1]?.seq ?? firstKept) < firstKept) this.#positions.splice(1, 1);
  }

  #drop(): void {
    this.#ends = [];
    this.#blocks.clear();
    this.#lines = [];
    this.#open = null;
    this.#pendingBytes = 0;
  }
}

function writeFailed(
  directory: string,
  firstLostSeq: number,
  cause: unknown,
): OperationalError<LogErrorCode> {
  const isFull = hasErrno(cause, "ENOSPC") || hasErrno(cause, "EDQUOT");
  return new OperationalError<LogErrorCode>({
    code: isFull ? "EVENT_LOG_DISK_FULL" : "EVENT_LOG_FAILED",
    message: `cannot write the Event Log in ${directory} from sequence ${firstLostSeq} on: ${messageOf(cause)}`,
    remedy: "free space on that disk and start a new Session; what was written before is kept",
    details: { directory, firstLostSeq },
    cause,
  });
}

function hasErrno(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}

function withoutInput(event: LoggableEvent): LoggableEvent {
  if (event.type === "input") return { ...event, data: "" };
  return event.type === "run-started" ? { ...event, commandLine: "" } : event;
}
