import { isAscii } from "node:buffer";
import type { Terminal } from "@xterm/headless";
import { type Emulator, GROUND, internalsOf } from "./emulator-internals.ts";

const [LF, CR, SO, SI, ESC] = [0x0a, 0x0d, 0x0e, 0x0f, 0x1b];
/** The control characters that change more than cells and the cursor's place. */
const TELLING = [ESC, SO, SI];
const LEAST_BYTES = 256;
/** The room for text that waits: it doubles under a flood, so that an ordinary Session never holds the largest. */
const [FIRST_BYTES, MOST_BYTES] = [32 * 1024, 1024 * 1024];

/**
 * P5: keeps ASCII text without escape sequences back until the screen is looked at. Of a flood, most lines leave the history before that,
 * and those are never rendered. Only text whose end result depends on nothing before its last lines is passed over.
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

  /** Keeps a copy of the bytes for `render`, if they may wait. false: render, then show these. */
  take(bytes: Uint8Array): boolean {
    if (this.#size === 0 && !this.#mayBegin(bytes)) return false;
    if (bytes.length > MOST_BYTES || !isPlain(bytes)) return false;
    this.#room ??= Buffer.allocUnsafeSlow(FIRST_BYTES);
    if (this.#size + bytes.length > this.#room.length) this.#makeRoom(bytes.length);
    this.#room.set(bytes, this.#size);
    this.#size += bytes.length;
    return true;
  }

  /** Puts what waits on the screen, without the lines that have left its history by now. */
  render(): void {
    if (this.#room === null || this.#size === 0) return;
    const text = this.#room.subarray(0, this.#size);
    this.#size = 0;
    const from = this.#passedOver(text);
    // Where the last line that is passed over ends. Its row does not matter: the lines that follow fill all of them.
    if (from > 0) this.#core._inputHandler._activeBuffer.x = 0;
    this.#show(text.subarray(from));
  }

  /** The same, and gives the room back: output has paused. */
  release(): void {
    this.render();
    this.#room = null;
  }

  /** A few bytes are rendered as cheaply as they are kept. */
  #mayBegin(bytes: Uint8Array): boolean {
    return bytes.length >= LEAST_BYTES && this.#core._inputHandler._parser.currentState === GROUND;
  }

  #makeRoom(sizeBytes: number): void {
    const wanted = Math.min(MOST_BYTES, 2 * (this.#size + sizeBytes));
    this.render();
    if ((this.#room?.length ?? 0) < wanted) this.#room = Buffer.allocUnsafeSlow(wanted);
  }

  /** How many bytes at the start end in a line that as many lines follow as the emulator keeps; else 0. */
  #passedOver(text: Uint8Array): number {
    const { lines, scrollTop, scrollBottom, y } = this.#core._inputHandler._activeBuffer;
    // The first line feeds move the cursor down to where lines scroll.
    const least = scrollBottom - y + lines.maxLength;
    // Outside the margins, lines are printed over each other, and those above stay.
    if (y < scrollTop || y > scrollBottom || text.length <= least) return 0;
    let feeds = 0;
    for (let at = text.length - 1; at > 0; at -= 1) {
      if (text[at] !== LF) continue;
      if (feeds >= least && text[at - 1] === CR) return at + 1;
      feeds += 1;
    }
    return 0;
  }
}

function isPlain(bytes: Uint8Array): boolean {
  return isAscii(bytes) && !TELLING.some((control) => bytes.includes(control));
}
