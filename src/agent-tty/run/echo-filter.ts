/** Takes the echo of our own postamble out of the output, wherever reads split it. Holds bytes back only while one is expected. */
export class EchoFilter {
  #expected: Buffer | null = null;
  #held: Buffer = Buffer.alloc(0);

  /** The next occurrence of these bytes is the echo. */
  expect(echo: string): void {
    this.#expected = Buffer.from(echo);
  }

  push(chunk: Buffer): Buffer {
    if (this.#expected === null) return chunk;
    const bytes = Buffer.concat([this.#held, chunk]);
    const at = bytes.indexOf(this.#expected);
    if (at !== -1) {
      const rest = bytes.subarray(at + this.#expected.byteLength);
      this.#expected = null;
      this.#held = Buffer.alloc(0);
      return Buffer.concat([bytes.subarray(0, at), rest]);
    }
    const held = overlap(bytes, this.#expected);
    this.#held = bytes.subarray(bytes.byteLength - held);
    return bytes.subarray(0, bytes.byteLength - held);
  }

  /** The echo never came whole: what was held back is output. */
  flush(): Buffer {
    const rest = this.#held;
    this.#expected = null;
    this.#held = Buffer.alloc(0);
    return rest;
  }
}

/** The longest end of `bytes` that is a beginning of `wanted`. */
function overlap(bytes: Buffer, wanted: Buffer): number {
  for (let length = Math.min(bytes.byteLength, wanted.byteLength - 1); length > 0; length -= 1) {
    if (bytes.subarray(bytes.byteLength - length).equals(wanted.subarray(0, length))) return length;
  }
  return 0;
}
