import type { IDisposable, Terminal } from "@xterm/headless";
import type { View } from "./view.ts";

/** An update that writes more lines than this replaces the whole history, so it no longer counts as a frame. */
const MAX_FRAME_LINES = 5_000;
const SYNCHRONIZED_OUTPUT = 2026;
export const END_OF_UPDATE = `\x1b[?${SYNCHRONIZED_OUTPUT}l`;

/**
 * Keeps the last complete frame during a synchronized update (mode 2026). The frame is released at the end of the update, and
 * also by a reset, a resize, the end of the alternate screen or an update that is too long, because a program that died during an
 * update must not hide later output. Nothing here depends on time, so replay reconstructs the same screens (A7): a host ends an
 * update that takes too long by adding `END_OF_UPDATE` to the output.
 */
export class SynchronizedFrame implements Disposable {
  readonly #subscriptions: IDisposable[];
  #kept: View | null = null;
  #counting: IDisposable | null = null;

  constructor(terminal: Terminal, keep: () => View) {
    const { parser } = terminal;
    const release = (): false => {
      this.release();
      return false;
    };
    this.#subscriptions = [
      parser.registerCsiHandler({ prefix: "?", final: "h" }, (modes) => {
        if (modes.includes(SYNCHRONIZED_OUTPUT) && this.#kept === null) {
          this.#kept = keep();
          this.#counting = this.#countLines(terminal);
        }
        return false;
      }),
      parser.registerCsiHandler({ prefix: "?", final: "l" }, (modes) =>
        modes.includes(SYNCHRONIZED_OUTPUT) ? release() : false,
      ),
      parser.registerEscHandler({ final: "c" }, release),
      parser.registerCsiHandler({ intermediates: "!", final: "p" }, release),
      terminal.onResize(release),
      terminal.buffer.onBufferChange(({ type }) => {
        if (type === "normal") this.release();
      }),
    ];
  }

  get kept(): View | null {
    return this.#kept;
  }

  release(): void {
    this.#kept = null;
    this.#counting?.dispose();
    this.#counting = null;
  }

  [Symbol.dispose](): void {
    this.release();
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  #countLines(terminal: Terminal): IDisposable {
    let lines = 0;
    return terminal.onLineFeed(() => {
      lines += 1;
      if (lines > MAX_FRAME_LINES) this.release();
    });
  }
}
