import { messageOf, OperationalError } from "agent-tty/kit";

export type StoreErrorCode =
  /** The file cannot be created or written: permissions, disk full, locked for too long. */
  | "STORE_UNWRITABLE"
  /** The file is not a database of ours, or damaged. */
  | "STORE_CORRUPT"
  /** A newer afk-triage has written it. */
  | "STORE_TOO_NEW"
  /** The file or its directory is a symbolic link, belongs to somebody else, or is open to others (S17). */
  | "STORE_UNSAFE";

export function unwritable(
  path: string,
  attempted: string,
  cause: unknown,
): OperationalError<StoreErrorCode> {
  return new OperationalError({
    code: "STORE_UNWRITABLE",
    message: `${attempted} in the store ${path} failed: ${messageOf(cause)}`,
    remedy: `Check that ${path} and its directory are writable, that the disk has space, and that no other process keeps the database locked. What was recorded before is kept.`,
    // One that another process holds locked may be written again in a while.
    details: { path, isLocked: isBusy(cause) },
    cause,
  });
}

export function corrupt(path: string, seen: string, cause?: unknown): OperationalError<StoreErrorCode> {
  return new OperationalError({
    code: "STORE_CORRUPT",
    message: `The store ${path} cannot be read: ${seen}`,
    remedy: `Move ${path} (with its -wal and -shm files) away and run again: a new store is created. Only the history of earlier batches is in it; GitHub, recordings and the audit log are not affected.`,
    details: { path },
    cause,
  });
}

export function tooNew(path: string, version: number, known: number): OperationalError<StoreErrorCode> {
  return new OperationalError({
    code: "STORE_TOO_NEW",
    message: `The store ${path} has schema version ${version}; this afk-triage knows versions up to ${known}`,
    remedy: "Upgrade afk-triage, or name another home with --home.",
    details: { path, version, known },
  });
}

export function unsafe(path: string, seen: string, remedy: string): OperationalError<StoreErrorCode> {
  return new OperationalError({
    code: "STORE_UNSAFE",
    message: `The store is not opened because ${path} ${seen}`,
    remedy,
    details: { path },
  });
}

/** SQLite's primary result codes (https://sqlite.org/rescode.html); the extended ones begin with them. */
const CORRUPT_CODES = /^SQLITE_(CORRUPT|NOTADB|FORMAT)/;
const UNWRITABLE_CODES = /^SQLITE_(BUSY|LOCKED|READONLY|IOERR|FULL|CANTOPEN|PERM|AUTH|NOLFS|PROTOCOL)/;

/** What SQLite threw, as an operational failure; anything else is a bug and is given back as it was. */
export function storeFailure(path: string, attempted: string, thrown: unknown): unknown {
  const code = sqliteCode(thrown);
  if (CORRUPT_CODES.test(code)) return corrupt(path, messageOf(thrown), thrown);
  if (UNWRITABLE_CODES.test(code)) return unwritable(path, attempted, thrown);
  // A table of ours that is missing although its migration is recorded: somebody damaged the schema.
  if (code === "SQLITE_ERROR" && /^no such (table|column)/.test(messageOf(thrown)))
    return corrupt(path, messageOf(thrown), thrown);
  return thrown;
}

export function isBusy(thrown: unknown): boolean {
  return sqliteCode(thrown).startsWith("SQLITE_BUSY");
}

function sqliteCode(thrown: unknown): string {
  const code = thrown instanceof Error && "code" in thrown ? thrown.code : "";
  return typeof code === "string" ? code : "";
}
