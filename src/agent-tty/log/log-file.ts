import { closeSync, openSync, writev, writevSync } from "node:fs";
import { promisify } from "node:util";
import { PRIVATE_FILE_MODE } from "../home/index.ts";

export interface LogFile {
  /** Resolves when every byte is in the file. */
  append(chunks: readonly Uint8Array[]): Promise<void>;
  close(): Promise<void>;
}

export type OpenLogFile = (path: string) => Promise<LogFile>;

/** Creates the file; rejects if it already exists. */
export const openLogFile: OpenLogFile = (path) => openAppending(path, "ax");

export const reopenLogFile: OpenLogFile = (path) => openAppending(path, "a");

/** Up to this size, a synchronous write to the system's memory is faster than one in another thread. */
const AT_ONCE_BYTES = 32 * 1024;

const writevLater = promisify(writev);

async function openAppending(path: string, flags: "a" | "ax"): Promise<LogFile> {
  const fd = openSync(path, flags, PRIVATE_FILE_MODE);
  const write = async (chunks: readonly Uint8Array[]): Promise<number> => {
    const sizeBytes = chunks.reduce((sum, { byteLength }) => sum + byteLength, 0);
    return sizeBytes <= AT_ONCE_BYTES ? writevSync(fd, chunks) : (await writevLater(fd, chunks)).bytesWritten;
  };
  return {
    append: async (chunks) => {
      let rest = chunks;
      while (rest.length > 0) rest = after(rest, await write(rest));
    },
    close: async () => closeSync(fd),
  };
}

/** Returns what is not written yet: a disk that fills up accepts a part before it refuses. */
function after(chunks: readonly Uint8Array[], bytesWritten: number): readonly Uint8Array[] {
  let skipped = bytesWritten;
  return chunks.flatMap((chunk) => {
    const from = Math.min(skipped, chunk.byteLength);
    skipped -= from;
    return from === chunk.byteLength ? [] : [chunk.subarray(from)];
  });
}
