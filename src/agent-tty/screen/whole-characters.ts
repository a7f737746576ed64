const NOTHING = new Uint8Array(0);

/**
 * Splits a UTF-8 stream only between characters, because the emulator's own decoder loses some characters that arrive in pieces.
 */
export class WholeCharacters {
  #held: Uint8Array = NOTHING;

  get isBetweenCharacters(): boolean {
    return this.#held.byteLength === 0;
  }

  push(bytes: Uint8Array): Uint8Array {
    const all = this.#held.byteLength === 0 ? bytes : Buffer.concat([this.#held, bytes]);
    const wholeBytes = all.byteLength - unfinishedBytes(all);
    if (wholeBytes === all.byteLength) {
      this.#held = NOTHING;
      return all;
    }
    // Copied, because a slice of a Buffer would share memory that the next read overwrites.
    this.#held = Uint8Array.from(all.subarray(wholeBytes));
    return all.subarray(0, wholeBytes);
  }
}

/** Returns how many bytes at the end begin an incomplete character. */
function unfinishedBytes(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.byteLength); back += 1) {
    const byte = bytes[bytes.byteLength - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return characterBytes(byte) > back ? back : 0;
  }
  return 0;
}

function characterBytes(lead: number): number {
  if (lead >= 0xf0) return 4;
  return lead >= 0xe0 ? 3 : 2;
}
