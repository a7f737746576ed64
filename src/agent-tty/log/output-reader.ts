import { type FileHandle, open } from "node:fs/promises";
import { listSegments, type LogSegment, segmentAt, segmentPaths } from "./log-segments.ts";

const FIRST_WINDOW_BYTES = 64 * 1024;
const MAX_WINDOW_BYTES = 1024 * 1024;

/** Reads output ahead, so that an Event Log with small records needs few reads. */
export class OutputReader implements AsyncDisposable {
  readonly #directory: string;
  #segments: readonly LogSegment[];
  #open: { index: number; file: FileHandle | null } | null = null;
  #window: Buffer = Buffer.alloc(0);
  #windowOffset = 0;
  #nextWindowBytes = FIRST_WINDOW_BYTES;

  /** Opens the output of an Event Log. A missing file counts as empty. */
  static async open(directory: string): Promise<OutputReader> {
    return new OutputReader(directory, await listSegments(directory));
  }

  private constructor(directory: string, segments: readonly LogSegment[]) {
    this.#directory = directory;
    this.#segments = segments;
  }

  /** Returns `length` bytes from `offset`, or fewer if the file ends before. Later reads do not overwrite them. */
  async read(offset: number, length: number): Promise<Buffer> {
    const from = offset - this.#windowOffset;
    if (from >= 0 && from + length <= this.#window.byteLength)
      return this.#window.subarray(from, from + length);
    await this.#fill(offset, length);
    if (this.#window.byteLength < length) {
      // The log may have continued in a segment that did not exist when it was opened.
      this.#segments = await listSegments(this.#directory);
      await this.#fill(offset, length);
    }
    return this.#window.subarray(0, length);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#open?.file?.close();
  }

  async #fill(offset: number, length: number): Promise<void> {
    const segment = segmentAt(this.#segments, offset, "outputStart");
    const file = await this.#fileOf(segment);
    const window = Buffer.allocUnsafeSlow(Math.max(length, this.#nextWindowBytes));
    this.#nextWindowBytes = Math.min(MAX_WINDOW_BYTES, this.#nextWindowBytes * 2);
    const at = offset - segment.outputStart;
    const { bytesRead } = (await file?.read(window, 0, window.byteLength, at)) ?? { bytesRead: 0 };
    this.#window = window.subarray(0, bytesRead);
    this.#windowOffset = offset;
  }

  async #fileOf(segment: LogSegment): Promise<FileHandle | null> {
    if (this.#open?.index !== segment.index) {
      await this.#open?.file?.close();
      this.#open = { index: segment.index, file: null };
      this.#open.file = await open(segmentPaths(this.#directory, segment).output, "r").catch(() => null);
    }
    return this.#open.file;
  }
}
