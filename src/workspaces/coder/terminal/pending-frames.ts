/** The number of typed bytes per frame: a command line of `tmux send-keys` takes three characters per byte. */
const FRAME_BYTES = 512;
/** The largest number of frames that are not acknowledged; the rest of a longer paste waits in the terminal's own queue. */
const MAX_PENDING = 512;

/**
 * Typed input that is not acknowledged yet. It is sent again after a reattachment; its number ensures that it is carried out only
 * once.
 */
export class PendingFrames {
  #sequence = 0;
  #pending: { sequence: number; line: string }[] = [];

  get isFull(): boolean {
    return this.#pending.length >= MAX_PENDING;
  }

  type(bytes: Buffer): string[] {
    const lines: string[] = [];
    for (let at = 0; at < bytes.byteLength; at += FRAME_BYTES) {
      const hex = bytes.subarray(at, at + FRAME_BYTES).toString("hex");
      lines.push(this.#add(`k ${hex.match(/../g)?.join(" ") ?? ""}`));
    }
    return lines;
  }

  resize(cols: number, rows: number): string {
    return this.#add(`r ${cols} ${rows}`);
  }

  quit(): string {
    return this.#add("q");
  }

  acknowledge(sequence: number): void {
    this.#pending = this.#pending.filter((frame) => frame.sequence > sequence);
  }

  lines(): string[] {
    return this.#pending.map(({ line }) => line);
  }

  #add(text: string): string {
    this.#sequence += 1;
    const line = `${this.#sequence} ${text}\n`;
    this.#pending.push({ sequence: this.#sequence, line });
    return line;
  }
}
