import {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";

const COMMAND = /^[a-z-]{2,20}$/;
const OTHERS_MAY_WRITE = 0o022;

/**
 * Returns the path of the file for the compiled code of one command, or null if there is no cache directory or `command` is not a
 * command name. The file is in the program's directory of the user's cache directory (XDG_CACHE_HOME or ~/.cache). Its name
 * contains the bundle, its version and V8's version.
 */
export function codeCacheFile(
  { program, name }: { program: string; name: string },
  file: { size: number; mtimeMs: number },
  command: string,
  env: NodeJS.ProcessEnv,
): string | null {
  const home = env["HOME"];
  const root = env["XDG_CACHE_HOME"] ?? (home === undefined || home === "" ? "" : join(home, ".cache"));
  if (!root.startsWith("/") || !COMMAND.test(command)) return null;
  const version = `${name}-${process.versions.v8}-${process.arch}-${file.size}-${Math.round(file.mtimeMs)}`;
  return join(root, program, `${version}.${command}.code`);
}

/**
 * Reads the cached code of each part of a bundle. Returns an empty map if none is stored, or if another user could have written
 * it. V8 rejects cached code that does not match the source.
 */
export function readCode(file: string): Map<string, Uint8Array> {
  try {
    const opened = openSync(file, "r");
    try {
      const { uid, mode } = fstatSync(opened);
      return uid === process.getuid?.() && (mode & OTHERS_MAY_WRITE) === 0
        ? partsOf(readFileSync(opened))
        : new Map();
    } finally {
      closeSync(opened);
    }
  } catch {
    return new Map();
  }
}

/** The first line of a cache file: the names of the parts and their sizes in bytes. The parts follow. */
type PartSizes = readonly (readonly [name: string, sizeBytes: number])[];

/** Throws if the cache file is damaged. */
function partsOf(bytes: Buffer): Map<string, Uint8Array> {
  let end = bytes.indexOf("\n") + 1;
  const sizes = JSON.parse(bytes.toString("latin1", 0, end)) as PartSizes;
  return new Map(sizes.map(([name, sizeBytes]) => [name, bytes.subarray(end, (end += sizeBytes))]));
}

/**
 * Writes the cache file whole or not at all. A failed write is ignored, because the cache only saves time. A HOME that does not
 * exist, or that was removed while a host ran, is not created.
 */
export function keepCode(file: string, code: ReadonlyMap<string, Uint8Array>): void {
  const directory = dirname(file);
  const sizes: PartSizes = [...code].map(([name, { byteLength }]) => [name, byteLength]);
  const own = `${file}.${process.pid}`;
  try {
    for (const one of [dirname(directory), directory]) makeDirectory(one);
    writeFileSync(own, Buffer.concat([Buffer.from(`${JSON.stringify(sizes)}\n`), ...code.values()]), {
      mode: 0o600,
      flag: "wx",
    });
    renameSync(own, file);
    removeOlder(directory, basename(file));
  } catch {
    removeIfThere(own);
  }
}

/** Creates a directory unless it exists. Its parent has to exist. */
function makeDirectory(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

function removeIfThere(file: string): void {
  try {
    rmSync(file);
  } catch {
    // The file was never created.
  }
}

/** Removes the caches of other versions of the same bundle, so that an upgrade leaves nothing behind. */
function removeOlder(directory: string, name: string): void {
  const version = name.slice(0, name.lastIndexOf(".", name.length - ".code".length - 1));
  const bundle = name.slice(0, name.indexOf("-") + 1);
  for (const other of readdirSync(directory))
    if (other.startsWith(bundle) && other.endsWith(".code") && !other.startsWith(version))
      rmSync(join(directory, other), { force: true });
}
