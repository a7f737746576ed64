import { type FileHandle, open } from "node:fs/promises";

const FIRST_WINDOW_BYTES = 64 * 1024;
const MAX_WINDOW_BYTES = 1024 * 1024;

/** Reads output.bin ahead: an Event Log of small records costs few reads. */
export class OutputReader implements AsyncDisposable {
  readonly #file: FileHandle | null;
  #window: Buffer = Buffer.alloc(0);
  #windowOffset = 0;
  #nextWindowBytes = FIRST_WINDOW_BYTES;

  /** A file that is missing has no bytes. */
  static async open(path: string): Promise<OutputReader> {
    return new OutputReader(await open(path, "r").catch(() => null));
  }

  private constructor(file: FileHandle | null) {
    this.#file = file;
  }

  /** Fewer than `length` when the file ends before. They stay as they are. */
  async read(offset: number, length: number): Promise<Buffer> {
    const from = offset - this.#windowOffset;
    if (from >= 0 && from + length <= this.#window.byteLength)
      return this.#window.subarray(from, from + length);
    await this.#fill(offset, length);
    return this.#window.subarray(0, length);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file?.close();
  }

  async #fill(offset: number, length: number): Promise<void> {
    const window = Buffer.allocUnsafeSlow(Math.max(length, this.#nextWindowBytes));
    this.#nextWindowBytes = Math.min(MAX_WINDOW_BYTES, this.#nextWindowBytes * 2);
    const { bytesRead } = (await this.#file?.read(window, 0, window.byteLength, offset)) ?? { bytesRead: 0 };
    this.#window = window.subarray(0, bytesRead);
    this.#windowOffset = offset;
  }
}
