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
 * Where the compiled code of one command is kept: in the user's cache directory (XDG_CACHE_HOME or ~/.cache), under the name of
 * the bundle, its version and V8's. null: nowhere, because there is no such directory or no command was named.
 */
export function codeCacheFile(
  name: string,
  bundle: { size: number; mtimeMs: number },
  command: string,
  env: NodeJS.ProcessEnv,
): string | null {
  const home = env["HOME"];
  const root = env["XDG_CACHE_HOME"] ?? (home === undefined || home === "" ? "" : join(home, ".cache"));
  if (!root.startsWith("/") || !COMMAND.test(command)) return null;
  const version = `${name}-${process.versions.v8}-${process.arch}-${bundle.size}-${Math.round(bundle.mtimeMs)}`;
  return join(root, "agent-tty", `${version}.${command}.code`);
}

/** null: none is kept, or somebody else could have written it. What V8 does not accept it refuses itself. */
export function readCode(file: string): Buffer | null {
  try {
    const opened = openSync(file, "r");
    try {
      const { uid, mode } = fstatSync(opened);
      return uid === process.getuid?.() && (mode & OTHERS_MAY_WRITE) === 0 ? readFileSync(opened) : null;
    } finally {
      closeSync(opened);
    }
  } catch {
    return null;
  }
}

/**
 * Written whole or not at all. It is a convenience: a directory that takes no file costs only time. A HOME that does not exist,
 * or was removed while a host ran, is not made.
 */
export function keepCode(file: string, code: Uint8Array): void {
  const directory = dirname(file);
  const own = `${file}.${process.pid}`;
  try {
    for (const one of [dirname(directory), directory]) makeDirectory(one);
    writeFileSync(own, code, { mode: 0o600, flag: "wx" });
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
