import { PlainText, readEvents } from "../log/index.ts";
import type { EventRange } from "../run/index.ts";

/** Returns the end of the output in a range as inert text: at most `maxBytes` bytes, never starting inside a character. */
export async function readPlainOutput(
  directory: string,
  range: EventRange & { startOffset: number },
  maxBytes: number,
): Promise<string> {
  const plain = new PlainText();
  let tail: Buffer = Buffer.alloc(0);
  for await (const { bytes } of readEvents(directory, range)) {
    if (bytes.byteLength === 0) continue;
    tail = Buffer.concat([tail, plain.push(bytes)]);
    if (tail.byteLength > maxBytes) tail = Buffer.from(tail.subarray(tail.byteLength - maxBytes));
  }
  let from = 0;
  while (((tail[from] ?? 0) & 0xc0) === 0x80) from += 1;
  return tail.toString("utf8", from);
}
