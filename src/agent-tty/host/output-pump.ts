import type { EventLogWriter } from "../log/index.ts";
import type { Mark, OutputFilter } from "../run/index.ts";
import type { Screen } from "../screen/index.ts";

const HIGH_SCREEN_BYTES = 2 * 1024 * 1024;
const LOW_SCREEN_BYTES = 512 * 1024;
const BATCH_BYTES = 128 * 1024;

export interface OutputPumpPorts {
  filter: OutputFilter;
  log: EventLogWriter;
  screen: Screen;
  onMark(mark: Mark): void;
  onRendered(): void;
  /** Back-pressure to the child. */
  pause(): void;
  resume(): void;
}

/** Moves the terminal's output into the Event Log and onto the screen, in order, and holds the child back when they lag. */
export class OutputPump {
  readonly #ports: OutputPumpPorts;
  #batch: Buffer[] = [];
  #batchBytes = 0;
  #scheduled: NodeJS.Immediate | null = null;
  #isPaused = false;

  constructor(ports: OutputPumpPorts) {
    this.#ports = ports;
  }

  push(bytes: Buffer): void {
    for (const piece of this.#ports.filter.push(bytes)) {
      if (piece.type === "output") {
        this.#add(piece.bytes);
      } else {
        this.flush();
        this.#ports.onMark(piece.mark);
      }
    }
    if (this.#batchBytes >= BATCH_BYTES) this.flush();
    else if (this.#batchBytes > 0) this.#scheduled ??= setImmediate(() => this.flush());
  }

  /** Gives what has arrived its place in the Event Log now; call before any other event is appended. */
  flush(): void {
    if (this.#scheduled !== null) clearImmediate(this.#scheduled);
    this.#scheduled = null;
    if (this.#batchBytes === 0) return;
    const bytes = Buffer.concat(this.#batch, this.#batchBytes);
    this.#batch = [];
    this.#batchBytes = 0;
    const seq = this.#ports.log.appendOutput(bytes);
    this.#ports.screen.write(bytes, seq, () => {
      this.#ports.onRendered();
      this.relieve();
    });
    if (!this.#isPaused && this.#isBehind(HIGH_SCREEN_BYTES)) {
      this.#isPaused = true;
      this.#ports.pause();
    }
  }

  /** The stream has ended: what looked like the beginning of a mark was output. */
  end(): void {
    this.#add(this.#ports.filter.flush());
    this.flush();
  }

  /** Lets the child go on once the Event Log and the screen have caught up. */
  relieve(): void {
    if (!this.#isPaused || this.#isBehind(LOW_SCREEN_BYTES)) return;
    this.#isPaused = false;
    this.#ports.resume();
  }

  #isBehind(screenBytes: number): boolean {
    return this.#ports.log.isFull() || this.#ports.screen.pendingBytes > screenBytes;
  }

  #add(bytes: Buffer): void {
    if (bytes.byteLength === 0) return;
    this.#batch.push(bytes);
    this.#batchBytes += bytes.byteLength;
  }
}
