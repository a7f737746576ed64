import { messageOf, OperationalError } from "./operational-error.ts";

export type StorageErrorCode = "STORAGE_REFUSED";

const REMEDY = "free space, for example with `agent-tty gc`, or choose another home with --home";
const RIGHTS_REMEDY = "give this user the right to write there, or choose another home with --home";
/**
 * Disk full, over quota, read-only, file too large, I/O error; no permission for this user, or a file in place of a directory.
 */
const REMEDIES = new Map<unknown, string>([
  ...["ENOSPC", "EDQUOT", "EROFS", "EFBIG", "EIO"].map((code) => [code, REMEDY] as const),
  ...["EACCES", "EPERM", "ENOTDIR"].map((code) => [code, RIGHTS_REMEDY] as const),
]);

/**
 * Returns a refusal by the disk as an OperationalError, for files that have no error code of their own, or null for every other
 * error.
 */
export function storageRefusal(thrown: unknown): OperationalError<StorageErrorCode> | null {
  if (!(thrown instanceof Error) || !("code" in thrown)) return null;
  const remedy = REMEDIES.get(thrown.code);
  const path = "path" in thrown && typeof thrown.path === "string" ? { path: thrown.path } : {};
  // Signals and sockets fail with these codes as well, but those errors have no path.
  if (remedy === undefined || (remedy === RIGHTS_REMEDY && path.path === undefined)) return null;
  return new OperationalError<StorageErrorCode>({
    code: "STORAGE_REFUSED",
    message: `the disk refuses a file: ${messageOf(thrown)}`,
    remedy,
    details: path,
    cause: thrown,
  });
}
