const BLOCK_BYTES = 64 * 1024;
/** Blocks that all Event Logs of this process keep together: a flood allocates nothing, an idle Session holds none. */
const MAX_SPARE_BLOCKS = 16;
const spare: Buffer[] = [];

/** Output on its way to the disk, copied into blocks that are used again. */
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

  /** Everything added since the last call, in order. Give it back with `reuse` once it is written. */
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
