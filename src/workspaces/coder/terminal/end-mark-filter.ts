import { endMarkStart } from "./remote-scripts.ts";

/** The longest exit status and its BEL. */
const TAIL_BYTES = 4;

/** Finds the end mark of a remote terminal, even if reads split it. Bytes that may be the beginning of the mark are held back. */
export class EndMarkFilter {
  readonly #start: Buffer;
  #held: Buffer = Buffer.alloc(0);

  constructor(nonce: string) {
    this.#start = Buffer.from(endMarkStart(nonce), "latin1");
  }

  /** Returns the output without the mark. `exitCode` is null as long as the terminal has not ended. */
  push(chunk: Buffer): { output: Buffer; exitCode: number | null } {
    const bytes = this.#held.byteLength === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    const at = bytes.indexOf(this.#start);
    if (at !== -1) {
      const tail = bytes.subarray(at + this.#start.byteLength).toString("latin1");
      const code = /^(\d{1,3})\x07/.exec(tail)?.[1];
      if (code !== undefined) return { output: bytes.subarray(0, at), exitCode: Number(code) };
      if (tail.length < TAIL_BYTES) return this.#hold(bytes, at);
    }
    return this.#hold(bytes, bytes.byteLength - this.#partialStart(bytes));
  }

  #hold(bytes: Buffer, from: number): { output: Buffer; exitCode: null } {
    // The bytes are copied, because the chunk belongs to its reader.
    this.#held = Buffer.from(bytes.subarray(from));
    return { output: bytes.subarray(0, from), exitCode: null };
  }

  #partialStart(bytes: Buffer): number {
    for (let length = Math.min(this.#start.byteLength - 1, bytes.byteLength); length > 0; length -= 1)
      if (bytes.subarray(bytes.byteLength - length).equals(this.#start.subarray(0, length))) return length;
    return 0;
  }
}
