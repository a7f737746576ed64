import { isAscii } from "node:buffer";
import type { Terminal } from "@xterm/headless";
import { type Emulator, GROUND, internalsOf, isPrintable } from "./emulator-internals.ts";

const [LF, CR] = [0x0a, 0x0d];
/** Control characters that change more than cells and the cursor's position: ESC, SO and SI. */
const TELLING = [0x1b, 0x0e, 0x0f];
const LEAST_BYTES = 256;
/** The buffer size for deferred text. It doubles during a flood, so that an ordinary Session never has the largest buffer. */
const [FIRST_BYTES, MOST_BYTES] = [32 * 1024, 1024 * 1024];

/**
 * Defers ASCII text without escape sequences until the screen is read, so that floods of output finish fast (P5). During a flood
 * most lines leave the history before that, and these are never rendered. Text is skipped only if the end result depends on
 * nothing before its last lines.
 */
export class DeferredText {
  readonly #core: Emulator;
  readonly #show: (bytes: Uint8Array) => void;
  #room: Buffer | null = null;
  #size = 0;

  /** `show` renders bytes at once. */
  constructor(terminal: Terminal, show: (bytes: Uint8Array) => void) {
    this.#core = internalsOf(terminal);
    this.#show = show;
  }

  /**
   * Copies the bytes for a later `render` and returns true if they may be deferred. After false, call `render`, then show these
   * bytes.
   */
  take(bytes: Uint8Array): boolean {
    if (this.#size === 0 && !this.#mayBegin(bytes)) return false;
    if (bytes.length > MOST_BYTES || !isPlain(bytes)) return false;
    if (this.#size + bytes.length > MOST_BYTES) this.render();
    this.#grow(this.#size + bytes.length).set(bytes, this.#size);
    this.#size += bytes.length;
    return true;
  }

  /** Renders the deferred text, without the lines that have already left the history. */
  render(): void {
    if (this.#room === null || this.#size === 0) return;
    const text = this.#room.subarray(0, this.#size);
    this.#size = 0;
    const from = this.#passedOver(text);
    // The cursor is set to where the last skipped line ends. Its row does not matter, because the lines that follow fill all
    // rows.
    if (from > 0) this.#core._inputHandler._activeBuffer.x = 0;
    this.#show(text.subarray(from));
  }

  /** Like `render`, and frees the buffer. Call it when the output pauses. */
  release(): void {
    this.render();
    this.#room = null;
  }

  /**
   * Returns whether deferring may start with this chunk. It starts only with a larger one, because rendering a few bytes is as
   * cheap as storing them.
   */
  #mayBegin(bytes: Uint8Array): boolean {
    return bytes.length >= LEAST_BYTES && this.#core._inputHandler._parser.currentState === GROUND;
  }

  /** Returns the buffer, or a larger one with the same text: copying is cheaper than rendering. */
  #grow(sizeBytes: number): Buffer {
    const before = this.#room;
    if (before !== null && before.length >= sizeBytes) return before;
    this.#room = Buffer.allocUnsafeSlow(Math.min(MOST_BYTES, Math.max(FIRST_BYTES, 2 * sizeBytes)));
    before?.copy(this.#room);
    return this.#room;
  }

  /**
   * Returns how many bytes at the start can be skipped, or 0. They end in a line that is followed by as many rows as the emulator
   * keeps.
   */
  #passedOver(text: Uint8Array): number {
    const { lines, scrollTop, scrollBottom, y } = this.#core._inputHandler._activeBuffer;
    // The first rows move the cursor down to where lines scroll.
    const least = scrollBottom - y + lines.maxLength;
    // Outside the margins, lines overwrite each other, and the lines above remain.
    if (y < scrollTop || y > scrollBottom) return 0;
    const isWrapped = this.#core.coreService.decPrivateModes.wraparound;
    const cols = isWrapped ? this.#core._bufferService.cols : text.length;
    let rows = 0;
    let end = text.length;
    for (let at = text.length - 1; at > 0; at -= 1) {
      if (text[at] !== LF) continue;
      if (end - at > cols) rows += furtherRows(text, at + 1, end, cols);
      if (rows >= least && text[at - 1] === CR) return at + 1;
      rows += 1;
      end = at;
    }
    return 0;
  }
}

/**
 * Returns how many rows a line fills beyond its first one, at least. Only printable characters are certain to fill rows; the last
 * byte, usually a carriage return, does not count.
 */
function furtherRows(text: Uint8Array, from: number, end: number, cols: number): number {
  for (let at = from; at < end - 1; at += 1) if (!isPrintable(text[at] ?? 0)) return 0;
  return Math.floor((end - from - 2) / cols);
}

function isPlain(bytes: Uint8Array): boolean {
  return isAscii(bytes) && !TELLING.some((control) => bytes.includes(control));
}
