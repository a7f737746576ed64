import { readSync } from "node:fs";
import type { SocketConstructorOpts } from "node:net";
import { ReadStream } from "node:tty";

const READ_BUFFER_BYTES = 64 * 1024;
/** Far more than the kernel's terminal buffers can hold. */
const MAX_DRAIN_READS = 4_096;

/** One buffer for all terminals of this process, because `output` has used the bytes before the next read. */
const readBuffer = Buffer.allocUnsafeSlow(READ_BUFFER_BYTES);

/**
 * Reads the terminal and passes its bytes to `output`, which must use them before it returns, because the next read overwrites
 * them. The stream uses `onread`, so that a paused stream stops reading at once and buffers nothing. A plain stream would
 * continue to read into its buffer and lose that on the EIO at the end of the terminal.
 */
export function openTerminal(fd: number, output: (bytes: Buffer) => void): ReadStream {
  const onread = {
    buffer: readBuffer,
    callback: (sizeBytes: number, buffer: Uint8Array): boolean => {
      output(Buffer.from(buffer.buffer, buffer.byteOffset, sizeBytes));
      return true;
    },
  };
  const options: SocketConstructorOpts & { onread: typeof onread } = { onread };
  return new ReadStream(fd, options);
}

/**
 * Passes to `output` what the kernel still holds after a hang-up. Call it while the stream ends, when the descriptor is still
 * open. libuv treats a hang-up together with a short read as the end of the stream, and reads of a terminal are always short.
 */
export function drainAfterHangup(fd: number, output: (bytes: Buffer) => void): void {
  const buffer = Buffer.allocUnsafe(READ_BUFFER_BYTES);
  for (let reads = 0; reads < MAX_DRAIN_READS; reads += 1) {
    const sizeBytes = readNow(fd, buffer);
    if (sizeBytes === 0) return;
    output(buffer.subarray(0, sizeBytes));
  }
}

function readNow(fd: number, buffer: Buffer): number {
  try {
    return readSync(fd, buffer);
  } catch {
    return 0;
  }
}
