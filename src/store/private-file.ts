import { closeSync, constants, lstatSync, mkdirSync, openSync, type Stats } from "node:fs";
import { dirname } from "node:path";
import { unsafe, unwritable } from "./store-error.ts";

/**
 * Makes sure that the file exists, private to this user, in a private directory (S17). SQLite gives its -wal and -shm files the
 * mode of the database file, so this mode protects all three. Throws STORE_UNSAFE or STORE_UNWRITABLE.
 */
export function ensurePrivateFile(path: string): void {
  const directory = dirname(path);
  attempt(path, "creating the directory", () => mkdirSync(directory, { recursive: true, mode: 0o700 }));
  refuseUnsafe(directory, lstatSync(directory), "directory");
  attempt(path, "creating the file", () => createFile(path));
  refuseUnsafe(path, lstatSync(path), "file");
}

/** Creates the file if it does not exist. O_EXCL prevents creation through a symbolic link. An existing file is left unchanged. */
function createFile(path: string): void {
  try {
    closeSync(openSync(path, constants.O_CREAT | constants.O_EXCL | constants.O_RDWR, 0o600));
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
}

function refuseUnsafe(path: string, stats: Stats, kind: "file" | "directory"): void {
  const isRightKind = kind === "file" ? stats.isFile() : stats.isDirectory();
  if (!isRightKind)
    throw unsafe(
      path,
      `is not a ${kind} itself`,
      "Name another home with --home, or put the real one there.",
    );
  const user = process.getuid?.();
  if (user === undefined) return;
  if (stats.uid !== user)
    throw unsafe(path, `belongs to user ${stats.uid}, not to ${user}`, "Name another home with --home.");
  if ((stats.mode & 0o077) !== 0)
    throw unsafe(
      path,
      `is open to other users (mode ${(stats.mode & 0o777).toString(8)})`,
      `Run: chmod ${kind === "file" ? "600" : "700"} ${path}`,
    );
}

function attempt(path: string, attempted: string, action: () => void): void {
  try {
    action();
  } catch (error) {
    throw unwritable({ path, attempted }, error);
  }
}
