import { writeSync } from "node:fs";
import type { Clock } from "../kit/index.ts";

const RETRY_AFTER_MS = 4;

interface PendingWrite {
  bytes: Uint8Array;
  offset: number;
  settle: () => void;
}

/**
 * Writes to the non-blocking terminal in order. While the child does not read, it retries at intervals instead of in a busy loop.
 */
export class InputQueue {
  readonly #fd: number;
  readonly #clock: Clock;
  readonly #pending: PendingWrite[] = [];
  #retry: Disposable | null = null;
  #isClosed = false;
  #pendingBytes = 0;

  constructor(fd: number, clock: Clock) {
    this.#fd = fd;
    this.#clock = clock;
  }

  get pendingBytes(): number {
    return this.#pendingBytes;
  }

  write(data: string | Uint8Array): Promise<void> {
    const bytes = typeof data === "string" ? Buffer.from(data) : data;
    return new Promise((settle) => {
      if (this.#isClosed || bytes.byteLength === 0) return settle();
      this.#pending.push({ bytes, offset: 0, settle });
      this.#pendingBytes += bytes.byteLength;
      if (this.#retry === null) this.#drain();
    });
  }

  close(): void {
    this.#isClosed = true;
    this.#retry?.[Symbol.dispose]();
    this.#pendingBytes = 0;
    for (const write of this.#pending.splice(0)) write.settle();
  }

  #drain(): void {
    this.#retry = null;
    for (;;) {
      const next = this.#pending[0];
      if (next === undefined) return;
      const written = this.#writeSome(next);
      if (written === null) return;
      next.offset += written;
      this.#pendingBytes -= written;
      if (next.offset < next.bytes.byteLength) continue;
      this.#pending.shift();
      next.settle();
    }
  }

  /**
   * Returns how many bytes were written, or null if nothing can be written now (a retry is scheduled) or never again (the
   * terminal is gone).
   */
  #writeSome(write: PendingWrite): number | null {
    try {
      return writeSync(this.#fd, write.bytes, write.offset);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "EAGAIN") {
        this.#retry = this.#clock.schedule(RETRY_AFTER_MS, () => this.#drain());
      } else {
        this.close();
      }
      return null;
    }
  }
}
