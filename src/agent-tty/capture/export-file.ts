import { constants, createReadStream, createWriteStream, fstatSync, openSync, type Stats } from "node:fs";
import { mkdtemp, open, readlink, realpath, rename, rm, stat } from "node:fs/promises";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import type { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type Home, PRIVATE_FILE_MODE } from "../home/index.ts";
import { messageOf, OperationalError } from "../kit/index.ts";
import type { LogDamage } from "../log/index.ts";
import type { CaptureErrorCode } from "./ffmpeg.ts";
import type { CastTiming } from "./timing.ts";

/** Lines are written in batches of this size: a write for each line would take most of the time of a large export. */
const WRITE_BYTES = 256 * 1024;
const READER_SOUGHT_EVERY_MS = 20;

export interface RecordingOptions {
  /** Default `recorded`: every gap keeps its length. */
  timing?: CastTiming;
  onDamage?: (damage: LogDamage) => void;
  signal?: AbortSignal;
}

export interface RecordingExport {
  path: string;
  sizeBytes: number;
  durationMs: number;
}

/**
 * Runs `write` on a temporary file and, once that is complete, puts its content at `path`. Resolves with the size in bytes. A
 * regular file, or the file that a symbolic link names, is replaced by a rename. A FIFO, a device, or a file that is open in this
 * process, such as stdout or `/dev/fd/3`, receives a copy. Rejects with EXPORT_FAILED.
 */
export async function exportFile(
  home: Home,
  target: { sessionId: string; path: string },
  write: (temporary: string) => Promise<void>,
  signal?: AbortSignal,
): Promise<{ sizeBytes: number }> {
  try {
    const output = await ownOutput(target.path);
    const opened = openedFile(target.path);
    if (output !== null || opened !== null || (await isStream(target.path)))
      return await writeThrough(home, target.path, { output, opened, write, signal });
    return await replaceFile(home, await linkTarget(target.path), write);
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof OperationalError) throw error;
    throw new OperationalError<CaptureErrorCode>({
      code: "EXPORT_FAILED",
      message: `cannot write the recording of Session ${target.sessionId} to ${target.path}: ${messageOf(error)}`,
      remedy: "check that the directory exists, is writable and has space",
      details: { path: target.path },
      cause: error,
    });
  }
}

/** Does the same as `exportFile` with content that is produced while it is written. */
export async function exportChunks(
  home: Home,
  target: { sessionId: string; path: string },
  chunks: AsyncIterable<string | Uint8Array>,
  signal?: AbortSignal,
): Promise<{ sizeBytes: number }> {
  const write = async (temporary: string): Promise<void> => {
    await using file = await open(temporary, "wx", PRIVATE_FILE_MODE);
    for await (const batch of batched(chunks)) {
      signal?.throwIfAborted();
      await file.appendFile(batch);
    }
  };
  return exportFile(home, target, write, signal);
}

/** Resolves with this process's stdout or stderr if `path` names it, directly or through a link, and otherwise with null. */
export async function ownOutput(path: string): Promise<NodeJS.WriteStream | null> {
  const found = await statOrNull(path);
  const isAt = (fd: number): boolean => {
    const output = fstatSync(fd);
    return output.dev === found?.dev && output.ino === found.ino;
  };
  if (isAt(1)) return process.stdout;
  return isAt(2) ? process.stderr : null;
}

/** Returns a stream into the regular file that is open at a path such as `/dev/fd/3`, or null if the path names none. */
function openedFile(path: string): Writable | null {
  const fd = Number(/^\/(?:dev|proc\/self)\/fd\/(\d{1,9})$/.exec(path)?.[1]);
  try {
    return fstatSync(fd).isFile() ? createWriteStream(path, { fd, autoClose: false }) : null;
  } catch {
    return null;
  }
}

/** Returns whether the path names something that takes bytes and must not be replaced, such as a FIFO or a device. */
async function isStream(path: string): Promise<boolean> {
  const found = await statOrNull(path);
  return found !== null && !found.isFile() && !found.isDirectory();
}

function statOrNull(path: string): Promise<Stats | null> {
  return stat(path).catch(() => null);
}

/** Resolves with the path of the file to write. For a symbolic link this is its target, even if the target does not exist yet. */
async function linkTarget(path: string): Promise<string> {
  const target = await readlink(path).catch(() => null);
  if (target === null) return path;
  try {
    return await realpath(path);
  } catch (error) {
    // A loop of links has no end to follow, so its error is not handled here.
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    return linkTarget(resolve(await realpath(dirname(path)), target));
  }
}

async function replaceFile(
  home: Home,
  path: string,
  write: (temporary: string) => Promise<void>,
): Promise<{ sizeBytes: number }> {
  const temporary = `${path}.${home.ids.hex(4)}.tmp`;
  try {
    await write(temporary);
    const { size } = await stat(temporary);
    await rename(temporary, path);
    return { sizeBytes: size };
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

interface Through {
  /** This process's stdout or stderr, if the path names it. */
  output: Writable | null;
  /** The file of this process that the path names. */
  opened: Writable | null;
  write: (temporary: string) => Promise<void>;
  signal: AbortSignal | undefined;
}

async function writeThrough(
  home: Home,
  path: string,
  { output, opened, write, signal }: Through,
): Promise<{ sizeBytes: number }> {
  const directory = await mkdtemp(join(tmpdir(), "agent-tty-export-"));
  try {
    const temporary = join(directory, "recording");
    await write(temporary);
    const { size } = await stat(temporary);
    // A file that is opened anew would be written from its beginning.
    const sink = output ?? opened ?? (await openSink(home, path, signal));
    await pipeline(createReadStream(temporary), sink, {
      end: output === null,
      ...(signal === undefined ? {} : { signal }),
    });
    return { sizeBytes: size };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/**
 * Opens the target for writing. Waits until a FIFO has a reader, because a FIFO without one would block a thread, and with it the
 * whole process, in open(2) or write(2).
 */
async function openSink(home: Home, path: string, signal: AbortSignal | undefined): Promise<Writable> {
  while ((await stat(path)).isFIFO()) {
    try {
      const fd = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
      return new Socket({ fd, readable: false, writable: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENXIO") throw error;
    }
    await home.clock.sleep(READER_SOUGHT_EVERY_MS, signal);
  }
  return createWriteStream(path);
}

async function* batched(chunks: AsyncIterable<string | Uint8Array>): AsyncGenerator<Buffer> {
  let [held, heldBytes]: [Buffer[], number] = [[], 0];
  for await (const chunk of chunks) {
    const bytes = Buffer.from(chunk as Uint8Array);
    held.push(bytes);
    heldBytes += bytes.byteLength;
    if (heldBytes < WRITE_BYTES) continue;
    yield Buffer.concat(held);
    [held, heldBytes] = [[], 0];
  }
  if (heldBytes > 0) yield Buffer.concat(held);
}
