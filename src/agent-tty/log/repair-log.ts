import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import type { LogPosition } from "./event-log-writer.ts";

const TAIL_BYTES = 64 * 1024;

/**
 * Cuts a torn last line off an Event Log that nobody writes any more, and says where writing can go on. Output that no record
 * refers to stays where it is: later records point behind it.
 */
export async function repairLog(directory: string): Promise<LogPosition & { t: number }> {
  await using events = await open(join(directory, "events.jsonl"), "r+");
  await using output = await open(join(directory, "output.bin"), "a");
  const { size } = await events.stat();
  const { text, startBytes } = await tailOf(events, size);
  const end = text.lastIndexOf(0x0a) + 1;
  const eventsBytes = startBytes + end;
  if (eventsBytes < size) await events.truncate(eventsBytes);
  const last = [...text.toString("latin1", 0, end).matchAll(/^\{"seq":(\d+),"t":([\d.]+),.*\}$/gm)].at(-1);
  return {
    seq: Number(last?.[1] ?? 0),
    t: Number(last?.[2] ?? 0),
    eventsBytes,
    outputBytes: (await output.stat()).size,
  };
}

async function tailOf(file: FileHandle, sizeBytes: number): Promise<{ text: Buffer; startBytes: number }> {
  const text = Buffer.alloc(Math.min(TAIL_BYTES, sizeBytes));
  const startBytes = sizeBytes - text.byteLength;
  const { bytesRead } = await file.read(text, 0, text.byteLength, startBytes);
  return { text: text.subarray(0, bytesRead), startBytes };
}
