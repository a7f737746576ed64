import type { Clock } from "../kit/index.ts";
import type { EventLogWriter } from "../log/index.ts";
import type { Mark, OutputFilter } from "../run/index.ts";
import { END_OF_UPDATE, type Screen } from "../screen/index.ts";
import type { Checkpointer } from "./checkpointer.ts";

/** During a flood of output the screen is checked at this interval; after a pause it is checked at once. */
const LOOK_EVERY_MS = 2;
/** This many bytes between two checks count as a flood. */
const FLOOD_BYTES = 8 * 1024;
/** The longest synchronized update: as in other terminals, one that takes longer is shown as it is. */
const LONGEST_UPDATE_MS = 1_000;

export interface OutputPumpPorts {
  clock: Clock;
  filter: OutputFilter;
  log: EventLogWriter;
  screen: Screen;
  checkpoints: Checkpointer;
  onMark(mark: Mark): void;
  onRendered(): void;
  /** Stops reading from the child (back-pressure). */
  pause(): void;
  resume(): void;
}

/**
 * Moves the terminal's output into the Event Log and onto the screen, in order, and pauses the child when the disk lags. A
 * terminal's buffer holds only a few kilobytes, so all work between two reads delays the child.
 */
export class OutputPump {
  readonly #ports: OutputPumpPorts;
  #look: Disposable | null = null;
  #lookedAtMs = Number.NEGATIVE_INFINITY;
  #isPaused = false;
  #bytesSinceLook = 0;
  #update: Disposable | null = null;

  constructor(ports: OutputPumpPorts) {
    this.#ports = ports;
  }

  /** The caller may overwrite `bytes` afterwards. */
  push(bytes: Buffer): void {
    for (const piece of this.#ports.filter.push(bytes)) {
      if (piece.type === "output") this.#show(piece.bytes);
      else {
        // A mark is the shell's own: the command that began an update no longer draws.
        this.#endUpdate();
        this.#ports.onMark(piece.mark);
      }
    }
    if (!this.#isPaused && this.#ports.log.isFull()) {
      this.#isPaused = true;
      this.#ports.pause();
    }
  }

  /** Call this when the stream has ended: an incomplete mark at its end is output. */
  end(): void {
    this.#show(this.#ports.filter.flush());
    this.#ports.screen.settle();
    this.#look?.[Symbol.dispose]();
    this.#update?.[Symbol.dispose]();
  }

  /** Resumes the child when the Event Log has caught up. */
  relieve(): void {
    if (!this.#isPaused || this.#ports.log.isFull()) return;
    this.#isPaused = false;
    this.#ports.resume();
  }

  #show(bytes: Buffer): void {
    if (bytes.byteLength === 0) return;
    const { log, screen } = this.#ports;
    screen.write(bytes, log.appendOutput(bytes));
    this.#ports.checkpoints.onOutput(bytes.byteLength);
    this.#bytesSinceLook += bytes.byteLength;
    this.#look ??= this.#scheduleLook();
    if (screen.canEndFrame) this.#update ??= this.#watchUpdate();
  }

  /** Ends the synchronized update that is on the screen now, if it is still there after the longest time. */
  #watchUpdate(): Disposable {
    const { clock, screen } = this.#ports;
    const { frameSeq } = screen;
    return clock.schedule(LONGEST_UPDATE_MS, () => {
      this.#update = null;
      if (screen.frameSeq === frameSeq) this.#endUpdate();
      if (screen.canEndFrame) this.#update = this.#watchUpdate();
    });
  }

  /** Ends the current update. The end becomes part of the output, so that every replay shows the same. */
  #endUpdate(): void {
    if (this.#ports.screen.canEndFrame) this.#show(Buffer.from(END_OF_UPDATE));
  }

  #scheduleLook(): Disposable {
    const look = (): void => {
      this.#look = null;
      this.#lookedAtMs = this.#ports.clock.monotonicMs();
      this.#ports.onRendered();
      // During a flood, what is rendered now may leave the screen before the next check.
      if (this.#bytesSinceLook >= FLOOD_BYTES) this.#look = this.#scheduleLook();
      else this.#ports.screen.settle();
      this.#bytesSinceLook = 0;
    };
    const remainingMs = this.#lookedAtMs + LOOK_EVERY_MS - this.#ports.clock.monotonicMs();
    if (remainingMs > 0) return this.#ports.clock.schedule(Math.ceil(remainingMs), look);
    const immediate = setImmediate(look);
    return { [Symbol.dispose]: () => clearImmediate(immediate) };
  }
}
