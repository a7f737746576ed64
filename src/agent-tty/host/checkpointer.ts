import {
  checkpointPath,
  encodeCheckpoint,
  type EventLogWriter,
  type LogFile,
  reopenLogFile,
} from "../log/index.ts";
import { encodeState } from "../replay/index.ts";
import type { Screen } from "../screen/index.ts";

/** Replay renders at most about this much: a fraction of a second. */
const CHECKPOINT_EVERY_BYTES = 8 * 1024 * 1024;

/**
 * Keeps the screen at bounded distances, so that the time to open a Session does not grow with its Event Log. A
 * checkpoint only saves time: when the disk refuses one, no more are written and nothing else changes.
 */
export class Checkpointer {
  readonly #directory: string;
  readonly #log: EventLogWriter;
  readonly #screen: Screen;
  #bytesSince = 0;
  #writing: Promise<void> | null = null;
  #file: Promise<LogFile> | null = null;
  #hasFailed = false;

  constructor(directory: string, log: EventLogWriter, screen: Screen) {
    this.#directory = directory;
    this.#log = log;
    this.#screen = screen;
  }

  /** Call after output is on the screen. */
  onOutput(sizeBytes: number): void {
    this.#bytesSince += sizeBytes;
    if (this.#bytesSince < CHECKPOINT_EVERY_BYTES || this.#writing !== null || this.#hasFailed) return;
    const state = this.#screen.state();
    if (state === null) return;
    this.#bytesSince = 0;
    const position = this.#log.position();
    this.#writing = this.#write(encodeState(state), position)
      .catch(() => void (this.#hasFailed = true))
      .finally(() => void (this.#writing = null));
  }

  async close(): Promise<void> {
    await this.#writing;
    const file = await this.#file?.catch(() => null);
    await file?.close().catch(() => undefined);
  }

  /** After the records that it stands for: a checkpoint never points behind the end of the Event Log. */
  async #write(encoded: Promise<Buffer>, position: ReturnType<EventLogWriter["position"]>): Promise<void> {
    const body = await encoded;
    await this.#log.flush();
    this.#file ??= reopenLogFile(checkpointPath(this.#directory));
    const file = await this.#file;
    await file.append(encodeCheckpoint(position, body));
  }
}
