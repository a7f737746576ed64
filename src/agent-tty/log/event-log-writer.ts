import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import { type Clock, messageOf, OperationalError } from "../kit/index.ts";
import { PRIVATE_FILE_MODE } from "../home/index.ts";
import { type LoggableEvent, MAX_OUTPUT_RECORD_BYTES, type SessionEvent } from "./event-record.ts";

/** Above the high mark the source must pause, below the low mark it may go on. */
const HIGH_PENDING_BYTES = 4 * 1024 * 1024;
const LOW_PENDING_BYTES = 1024 * 1024;
/** One entry of the position index for this many records: a range is found without reading the log from its start. */
const INDEX_EVERY = 256;

export type LogErrorCode = "EVENT_LOG_FAILED";

export interface EventLogWriterOptions {
  directory: string;
  clock: Clock;
  /** Called once when the disk refuses; everything appended afterwards is dropped. */
  onFailure: (error: Error) => void;
  /** Called when pending bytes fall below the low mark again. */
  onDrain: () => void;
}

/**
 * A6: the append-only Event Log. Sequence numbers are given synchronously; bytes reach the files in batches, output
 * before the records that refer to it, so a record never points at bytes that were not written.
 */
export class EventLogWriter {
  readonly #options: EventLogWriterOptions;
  readonly #events: FileHandle;
  readonly #output: FileHandle;
  readonly #startMs: number;
  readonly #positions: { seq: number; offset: number }[] = [];
  #lines: string[] = [];
  #chunks: Buffer[] = [];
  #pendingBytes = 0;
  #seq = 0;
  #outputOffset = 0;
  #eventsOffset = 0;
  #writing: Promise<void> | null = null;
  #failure: Error | null = null;

  static async open(options: EventLogWriterOptions): Promise<EventLogWriter> {
    const events = await open(join(options.directory, "events.jsonl"), "ax", PRIVATE_FILE_MODE);
    const output = await open(join(options.directory, "output.bin"), "ax", PRIVATE_FILE_MODE);
    return new EventLogWriter(options, events, output);
  }

  private constructor(options: EventLogWriterOptions, events: FileHandle, output: FileHandle) {
    this.#options = options;
    this.#events = events;
    this.#output = output;
    this.#startMs = options.clock.monotonicMs();
  }

  lastSeq(): number {
    return this.#seq;
  }

  isFull(): boolean {
    return this.#pendingBytes > HIGH_PENDING_BYTES;
  }

  append(event: LoggableEvent): number {
    return this.#appendRecord(event);
  }

  /** The sequence of the last record; long output becomes several. */
  appendOutput(bytes: Buffer): number {
    for (let start = 0; start < bytes.byteLength; start += MAX_OUTPUT_RECORD_BYTES) {
      const chunk = bytes.subarray(start, start + MAX_OUTPUT_RECORD_BYTES);
      this.#chunks.push(chunk);
      this.#pendingBytes += chunk.byteLength;
      this.#appendRecord({ type: "output", offset: this.#outputOffset, length: chunk.byteLength });
      this.#outputOffset += chunk.byteLength;
    }
    return this.#seq;
  }

  /** Resolves when everything appended so far is in the files. Rejects when the disk has refused. */
  async flush(): Promise<void> {
    while (this.#writing !== null) await this.#writing;
    if (this.#failure !== null) throw this.#failure;
  }

  /** Where in events.jsonl a reader may start to find `seq`. */
  positionBefore(seq: number): number {
    return this.#positions.findLast((position) => position.seq <= seq)?.offset ?? 0;
  }

  async close(): Promise<void> {
    await this.flush().catch(() => undefined);
    await Promise.allSettled([this.#events.close(), this.#output.close()]);
  }

  #appendRecord(event: SessionEvent): number {
    this.#seq += 1;
    const t = Math.round((this.#options.clock.monotonicMs() - this.#startMs) * 1000) / 1000;
    const line = `${JSON.stringify({ seq: this.#seq, t, ...event })}\n`;
    if (this.#seq % INDEX_EVERY === 1) this.#positions.push({ seq: this.#seq, offset: this.#eventsOffset });
    this.#eventsOffset += Buffer.byteLength(line);
    this.#pendingBytes += line.length;
    this.#lines.push(line);
    if (this.#failure === null) this.#writing ??= this.#writeAll();
    else this.#drop();
    return this.#seq;
  }

  async #writeAll(): Promise<void> {
    // One turn later, so that what arrives together is written together.
    await Promise.resolve();
    try {
      while (this.#lines.length > 0) await this.#writeBatch();
    } catch (error) {
      this.#failure = writeFailed(this.#options.directory, error);
      this.#drop();
      this.#options.onFailure(this.#failure);
    } finally {
      this.#writing = null;
    }
  }

  async #writeBatch(): Promise<void> {
    const [chunks, lines] = [this.#chunks, this.#lines];
    const batchBytes = this.#pendingBytes;
    this.#chunks = [];
    this.#lines = [];
    if (chunks.length > 0) await this.#output.appendFile(Buffer.concat(chunks));
    await this.#events.appendFile(lines.join(""));
    const wasHigh = this.#pendingBytes > LOW_PENDING_BYTES;
    this.#pendingBytes -= batchBytes;
    if (wasHigh && this.#pendingBytes <= LOW_PENDING_BYTES) this.#options.onDrain();
  }

  #drop(): void {
    this.#chunks = [];
    this.#lines = [];
    this.#pendingBytes = 0;
  }
}

function writeFailed(directory: string, cause: unknown): OperationalError<LogErrorCode> {
  return new OperationalError<LogErrorCode>({
    code: "EVENT_LOG_FAILED",
    message: `cannot write the Event Log in ${directory}: ${messageOf(cause)}`,
    remedy: "free space on that disk and start a new Session; what was written before is kept",
    cause,
  });
}
