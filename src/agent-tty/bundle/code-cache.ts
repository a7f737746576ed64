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
 * Where the compiled code of one command is kept: in the program's directory of the user's cache directory (XDG_CACHE_HOME or
 * ~/.cache), under the name of the bundle, its version and V8's. null: nowhere, because there is no such directory or
 * no command was named.
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

/** The code of each part of a bundle. Empty: none is kept, or somebody else could have written it. V8 refuses what does not fit. */
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

/** A line with the names and sizes of the parts, in bytes, and then the parts. */
type PartSizes = readonly (readonly [name: string, sizeBytes: number])[];

/** Throws when it is damaged. */
function partsOf(bytes: Buffer): Map<string, Uint8Array> {
  let end = bytes.indexOf("\n") + 1;
  const sizes = JSON.parse(bytes.toString("latin1", 0, end)) as PartSizes;
  return new Map(sizes.map(([name, sizeBytes]) => [name, bytes.subarray(end, (end += sizeBytes))]));
}

/**
 * Written whole or not at all. It is a convenience: a directory that takes no file costs only time. A HOME that does not exist,
 * or was removed while a host ran, is not made.
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

/** In a directory that exists. */
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
    // It was never made.
  }
}

/** Caches of other versions of the same bundle are removed: an upgrade leaves nothing behind. */
function removeOlder(directory: string, name: string): void {
  const version = name.slice(0, name.lastIndexOf(".", name.length - ".code".length - 1));
  const bundle = name.slice(0, name.indexOf("-") + 1);
  for (const other of readdirSync(directory))
    if (other.startsWith(bundle) && other.endsWith(".code") && !other.startsWith(version))
      rmSync(join(directory, other), { force: true });
}
