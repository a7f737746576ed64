import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { dropSegment, type Gap, type OpenSegment, planDrop, segmentLimit } from "./dropped-middle.ts";
import { HEAD, listSegments, segmentPaths } from "./log-segments.ts";
import { parseRecord } from "./parse-record.ts";

/** The segments after the head of an Event Log that is being written, and the gap between head and tail. */
export class LogTail {
  readonly #directory: string;
  readonly #maxBytes: number;
  #segments: OpenSegment[] = [];
  #gap: Gap | null = null;
  #current: OpenSegment = { ...HEAD, firstSeq: 1, t: 0, screen: null };

  constructor(directory: string, maxBytes: number) {
    this.#directory = directory;
    this.#maxBytes = maxBytes;
  }

  /** Opens the tail of an existing log by reading the first records of its later segments. */
  static async resume(directory: string, maxBytes: number): Promise<LogTail> {
    const tail = new LogTail(directory, maxBytes);
    for (const segment of (await listSegments(directory)).slice(1)) {
      const first = await firstRecord(segmentPaths(directory, segment).events);
      if (first === null) continue;
      const { seq: firstSeq, t } = first;
      if (first.type === "gap") tail.#gap = { fromSeq: firstSeq, droppedBytes: first.droppedBytes, segment };
      else tail.#segments.push({ ...segment, firstSeq, t, screen: null });
      tail.#current = { ...segment, firstSeq, t, screen: null };
    }
    return tail;
  }

  get current(): OpenSegment {
    return this.#current;
  }

  overlongBytes({ eventsBytes, outputBytes }: { eventsBytes: number; outputBytes: number }): number {
    const { index, eventsStart, outputStart } = this.#current;
    const sizeBytes = eventsBytes - eventsStart + outputBytes - outputStart;
    return Math.max(0, sizeBytes - segmentLimit(this.#maxBytes, index));
  }

  begin(start: Omit<OpenSegment, "index">): OpenSegment {
    this.#current = { ...start, index: this.#current.index + 1 };
    return this.#current;
  }

  /** Call this when the files of `next` exist. Resolves with the first sequence of the tail. */
  async dropTooMany(next: OpenSegment): Promise<number> {
    this.#segments.push(next);
    for (let drop = planDrop(this.#segments); drop !== null; drop = planDrop(this.#segments)) {
      this.#gap = await dropSegment(this.#directory, drop, this.#gap);
      this.#segments.shift();
    }
    return this.#segments[0]?.firstSeq ?? 0;
  }
}

async function firstRecord(path: string): Promise<Exclude<ReturnType<typeof parseRecord>, string> | null> {
  const input = createReadStream(path);
  try {
    for await (const line of createInterface({ input })) {
      const record = parseRecord(line);
      return typeof record === "string" ? null : record;
    }
    return null;
  } finally {
    input.destroy();
  }
}
