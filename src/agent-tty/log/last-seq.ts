import { open, stat } from "node:fs/promises";
import { join } from "node:path";

const TAIL_BYTES = 64 * 1024;

/** The last whole record's sequence (0 for an empty log) and the size of the log's two files. */
export async function readLastSeq(directory: string): Promise<{ lastSeq: number; sizeBytes: number }> {
  const path = join(directory, "events.jsonl");
  const [events, output] = await Promise.all([
    stat(path).catch(() => ({ size: 0 })),
    stat(join(directory, "output.bin")).catch(() => ({ size: 0 })),
  ]);
  const sizeBytes = events.size + output.size;
  if (events.size === 0) return { lastSeq: 0, sizeBytes };
  await using file = await open(path, "r");
  const tail = Buffer.alloc(Math.min(TAIL_BYTES, events.size));
  await file.read(tail, 0, tail.byteLength, events.size - tail.byteLength);
  const seqs = [...tail.toString("utf8").matchAll(/^\{"seq":(\d+),.*\}\n/gm)].map((match) =>
    Number(match[1]),
  );
  return { lastSeq: seqs.at(-1) ?? 0, sizeBytes };
}
