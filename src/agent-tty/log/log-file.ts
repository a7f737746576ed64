import { open } from "node:fs/promises";
import { PRIVATE_FILE_MODE } from "../home/index.ts";

/** One append-only file of an Event Log. */
export interface LogFile {
  /** Resolves when every byte is in the file. */
  append(chunks: readonly Uint8Array[]): Promise<void>;
  close(): Promise<void>;
}

export type OpenLogFile = (path: string) => Promise<LogFile>;

/** Rejects when the file exists already. */
export const openLogFile: OpenLogFile = (path) => openAppending(path, "ax");

/** Goes on with a file that exists. */
export const reopenLogFile: OpenLogFile = (path) => openAppending(path, "a");

async function openAppending(path: string, flags: "a" | "ax"): Promise<LogFile> {
  const file = await open(path, flags, PRIVATE_FILE_MODE);
  return {
    append: async (chunks) => {
      let rest = chunks;
      while (rest.length > 0) {
        const { bytesWritten } = await file.writev(rest);
        rest = after(rest, bytesWritten);
      }
    },
    close: () => file.close(),
  };
}

/** A disk that fills up takes a part before it refuses. */
function after(chunks: readonly Uint8Array[], bytesWritten: number): readonly Uint8Array[] {
  let skipped = bytesWritten;
  return chunks.flatMap((chunk) => {
    const from = Math.min(skipped, chunk.byteLength);
    skipped -= from;
    return from === chunk.byteLength ? [] : [chunk.subarray(from)];
  });
}
