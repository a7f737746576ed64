import {
  checkpointPath,
  encodeCheckpoint,
  type EventLogWriter,
  type LogFile,
  type LogSegment,
  reopenLogFile,
} from "../log/index.ts";
import { paintScreen } from "../painting/index.ts";
import type { Screen, ScreenState } from "../screen/index.ts";
import { encodeState } from "./encode-state.ts";

/**
 * The most output that a replay has to render, which takes about 0.1 s. A checkpoint costs 1 ms in this thread and 4 ms in
 * another.
 */
const CHECKPOINT_EVERY_BYTES = 2 * 1024 * 1024;
/** When the output has ended, a checkpoint is worthwhile after fewer bytes. */
const LAST_CHECKPOINT_BYTES = 256 * 1024;
/** A new segment of the Event Log begins when the screen can be serialised, but at the latest after this many further bytes. */
const SEGMENT_PATIENCE_BYTES = 1024 * 1024;

/**
 * Saves the screen at bounded distances, so that the time to open a Session does not grow with its Event Log. A checkpoint only
 * saves time: if the disk refuses one, no more are written and nothing else changes.
 */
export class Checkpointer {
  readonly #directory: string;
  readonly #log: EventLogWriter;
  readonly #screen: Screen;
  #bytesSince = 0;
  #writing: Promise<void> | null = null;
  #file: Promise<LogFile> | null = null;
  #path: string | null = null;
  #segment: LogSegment;
  #hasFailed = false;

  constructor(directory: string, log: EventLogWriter, screen: Screen) {
    this.#directory = directory;
    this.#log = log;
    this.#screen = screen;
    this.#segment = log.segment;
  }

  /** Call this after the output is on the screen. */
  onOutput(sizeBytes: number): void {
    this.#bytesSince += sizeBytes;
    if (this.#log.overlongBytes() > 0) this.#startSegment();
    if (this.#bytesSince < CHECKPOINT_EVERY_BYTES || this.#writing !== null || this.#hasFailed) return;
    const state = this.#screen.state();
    if (state !== null) this.#keep(state);
  }

  /** Starts a segment with a checkpoint at its very start, so that replay needs nothing from before it. */
  #startSegment(): void {
    const state = this.#screen.state();
    if (state === null && this.#log.overlongBytes() < SEGMENT_PATIENCE_BYTES) return;
    const snapshot = this.#screen.detailedSnapshot();
    const painting = state === null ? null : Buffer.from(paintScreen(state, snapshot));
    const { cols, rows } = snapshot;
    this.#segment = this.#log.startSegment({ cols, rows, painting });
    if (state !== null && !this.#hasFailed) this.#keep(state);
  }

  #keep(state: ScreenState): void {
    this.#bytesSince = 0;
    const position = this.#log.position();
    const before = this.#writing;
    const encoded = encodeState(state);
    const segment = this.#segment;
    const writing = (async (): Promise<void> => {
      await before;
      await this.#write(encoded, position, segment);
    })()
      .catch(() => void (this.#hasFailed = true))
      .finally(() => {
        if (this.#writing === writing) this.#writing = null;
      });
    this.#writing = writing;
  }

  /** Saves the last screen as well, because readers usually ask for it first. */
  async close(): Promise<void> {
    const state = this.#bytesSince < LAST_CHECKPOINT_BYTES || this.#hasFailed ? null : this.#screen.state();
    if (state !== null) this.#keep(state);
    await this.#writing;
    const file = await this.#file?.catch(() => null);
    await file?.close().catch(() => undefined);
  }

  /** Writes a checkpoint after the records that it covers, so that it never points behind the end of the Event Log. */
  async #write(
    encoded: Promise<Buffer>,
    position: ReturnType<EventLogWriter["position"]>,
    segment: LogSegment,
  ): Promise<void> {
    const body = await encoded;
    await this.#log.flush();
    const file = await this.#fileOf(segment);
    await file.append(encodeCheckpoint(position, body));
  }

  async #fileOf(segment: LogSegment): Promise<LogFile> {
    const path = checkpointPath(this.#directory, segment);
    if (this.#path !== path) {
      await (await this.#file)?.close();
      this.#path = path;
      this.#file = reopenLogFile(path);
    }
    return this.#file as Promise<LogFile>;
  }
}
