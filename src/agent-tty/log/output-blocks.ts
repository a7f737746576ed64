const BLOCK_BYTES = 64 * 1024;
/**
 * How many spare blocks all Event Logs of this process keep together, so that a flood allocates nothing and an idle Session holds
 * none.
 */
const MAX_SPARE_BLOCKS = 16;
const spare: Buffer[] = [];

/** Output that waits to be written, copied into reusable blocks. */
export class OutputBlocks {
  #full: Buffer[] = [];
  #current: Buffer | null = null;
  #usedBytes = 0;

  add(bytes: Uint8Array): void {
    let from = 0;
    while (from < bytes.byteLength) {
      this.#current ??= spare.pop() ?? Buffer.allocUnsafeSlow(BLOCK_BYTES);
      const piece = bytes.subarray(from, from + BLOCK_BYTES - this.#usedBytes);
      this.#current.set(piece, this.#usedBytes);
      this.#usedBytes += piece.byteLength;
      from += piece.byteLength;
      if (this.#usedBytes === BLOCK_BYTES) this.#finish(this.#current, BLOCK_BYTES);
    }
  }

  /** Returns everything added since the last call, in order. Pass it to `reuse` when it is written. */
  take(): Buffer[] {
    if (this.#current !== null) this.#finish(this.#current, this.#usedBytes);
    const taken = this.#full;
    this.#full = [];
    return taken;
  }

  reuse(blocks: readonly Buffer[]): void {
    const room = MAX_SPARE_BLOCKS - spare.length;
    for (const { buffer } of blocks.slice(0, room)) spare.push(Buffer.from(buffer));
  }

  clear(): void {
    this.#full = [];
    this.#current = null;
    this.#usedBytes = 0;
  }

  #finish(block: Buffer, sizeBytes: number): void {
    this.#full.push(block.subarray(0, sizeBytes));
    this.#current = null;
    this.#usedBytes = 0;
  }
}
