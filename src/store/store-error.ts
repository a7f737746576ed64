import { messageOf, OperationalError } from "agent-tty/kit";

export type StoreErrorCode =
  /** The file cannot be created or written: permissions, a full disk, or a lock that was held too long. */
  | "STORE_UNWRITABLE"
  /** The file is damaged, or not a database of afk-triage. */
  | "STORE_CORRUPT"
  /** The file was written by a newer afk-triage. */
  | "STORE_TOO_NEW"
  /** The file or its directory is a symbolic link, belongs to another user, or is accessible to others (S17). */
  | "STORE_UNSAFE";

/** A failed call: the store's path, what was attempted, and how long the call could wait for another process's lock. */
export interface StoreAttempt {
  path: string;
  attempted: string;
  /** Milliseconds; absent for calls that do not wait. */
  waitedMs?: number;
}

/** Returns STORE_UNWRITABLE. Its `details.isLocked` is true if another process holds the lock. */
export function unwritable(
  { path, attempted, waitedMs }: StoreAttempt,
  cause: unknown,
): OperationalError<StoreErrorCode> {
  return new OperationalError({
    code: "STORE_UNWRITABLE",
    message: `${attempted} in the store ${path} failed: ${messageOf(cause)}`,
    remedy: `Check that ${path} and its directory are writable, that the disk has free space, and that no other process holds a lock on the database. Earlier records are not affected.`,
    details: { path, isLocked: isBusy(cause), ...(waitedMs === undefined ? {} : { waitedMs }) },
    cause,
  });
}

/** Returns STORE_CORRUPT with what was seen in the file. */
export function corrupt(path: string, seen: string, cause?: unknown): OperationalError<StoreErrorCode> {
  return new OperationalError({
    code: "STORE_CORRUPT",
    message: `The store ${path} cannot be read: ${seen}`,
    remedy: `Move ${path} (with its -wal and -shm files) away and run again: a new store is created. The old one contains the history of earlier batches, the trust facts with their vetoes, and the links of duplicates; GitHub, recordings and the audit log are not affected.`,
    details: { path },
    cause,
  });
}

/** Returns STORE_TOO_NEW for a schema version newer than the known one. */
export function tooNew(path: string, version: number, known: number): OperationalError<StoreErrorCode> {
  return new OperationalError({
    code: "STORE_TOO_NEW",
    message: `The store ${path} has schema version ${version}; this afk-triage knows versions up to ${known}`,
    remedy: "Upgrade afk-triage, or name another home with --home.",
    details: { path, version, known },
  });
}

/** Returns STORE_UNSAFE for a file or directory that others could change. */
export function unsafe(path: string, seen: string, remedy: string): OperationalError<StoreErrorCode> {
  return new OperationalError({
    code: "STORE_UNSAFE",
    message: `The store is not opened because ${path} ${seen}`,
    remedy,
    details: { path },
  });
}

/** SQLite's primary result codes (https://sqlite.org/rescode.html); the extended codes begin with them. */
const CORRUPT_CODES = /^SQLITE_(CORRUPT|NOTADB|FORMAT)/;
const UNWRITABLE_CODES = /^SQLITE_(BUSY|LOCKED|READONLY|IOERR|FULL|CANTOPEN|PERM|AUTH|NOLFS|PROTOCOL)/;

/** Returns an error of SQLite as an OperationalError. Returns any other error unchanged, because it is a bug. */
export function storeFailure(attempt: StoreAttempt, thrown: unknown): unknown {
  const { path } = attempt;
  const code = sqliteCode(thrown);
  if (CORRUPT_CODES.test(code)) return corrupt(path, messageOf(thrown), thrown);
  if (UNWRITABLE_CODES.test(code)) return unwritable(attempt, thrown);
  // A missing table whose migration is recorded means that the schema is damaged.
  if (code === "SQLITE_ERROR" && /^no such (table|column)/.test(messageOf(thrown)))
    return corrupt(path, messageOf(thrown), thrown);
  return thrown;
}

/** Returns whether SQLite failed because another process holds the lock. */
export function isBusy(thrown: unknown): boolean {
  return sqliteCode(thrown).startsWith("SQLITE_BUSY");
}

/** Returns whether SQLite refused a row because the schema does not allow it. */
export function isRefusedRow(thrown: unknown): boolean {
  return /^SQLITE_(CONSTRAINT|MISMATCH|TOOBIG)/.test(sqliteCode(thrown));
}

function sqliteCode(thrown: unknown): string {
  const code = thrown instanceof Error && "code" in thrown ? thrown.code : "";
  return typeof code === "string" ? code : "";
}
